// Every metric: its name, unit and meaning, and its value from what the trackers found.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "sim/base/support.h"
#include "sim/metrics/metrics_internal.h"

static const double TRANSPORT_DISTANCE = 1; // m: shortest distance for a cost of transport

static double ratio(double value, double divisor) { return divisor > 0 ? value / divisor : NAN; }
static double share(long part, long all) { return ratio((double)part, (double)all); }
static double applies(bool condition, double value) { return condition ? value : NAN; }

static double distance_covered(const Metrics *metrics) {
  return metrics->path + hypot(metrics->com[0] - metrics->path_point[0], metrics->com[1] - metrics->path_point[1]);
}

static int all_refusals(const Metrics *metrics) {
  int count = 0;
  for (int i = FOOT_NOT_REFUSED + 1; i < FOOT_REFUSAL_COUNT; i++)
    count += metrics->refusals[i];
  return count;
}

// Summary of the recorded hits.
typedef struct HitSummary {
  int count, recovered;
  double recovery_time_sum, recovery_time_max, displacement_max; // s, s, m
  double steps_max;
} HitSummary;

static HitSummary summarize_hits(const Metrics *metrics) {
  HitSummary summary = {.count = hit_tracker_recorded(&metrics->hits),
                        .recovery_time_max = NAN,
                        .displacement_max = NAN,
                        .steps_max = NAN};
  for (int i = 0; i < summary.count; i++) {
    const MetricsHit *hit = &metrics->hits.hits[i];
    summary.steps_max = fmax(summary.steps_max, hit->steps_taken);
    summary.displacement_max = fmax(summary.displacement_max, hit->peak_com_displacement);
    if (isnan(hit->recovery_time))
      continue;
    summary.recovered++;
    summary.recovery_time_sum += hit->recovery_time;
    summary.recovery_time_max = fmax(summary.recovery_time_max, hit->recovery_time);
  }
  return summary;
}

#define REFUSAL_ROW(ROW, number, id, key, name, because)                                                               \
  ROW("Feet", foot_refusals_##key, "-", "Stances refused because " because ".", m->refusals[id])

// Group, name, unit, meaning, value from the metrics `m` and the summary of hits `h`.
// clang-format off
#define METRIC_ROWS(ROW)                                                                                               \
  ROW("Run", duration, "s", "Simulated time.", m->duration)                                                            \
  ROW("Run", distance, "m", "Horizontal length of the path of the centre of mass, through points 0.7 s apart.",        \
      applies(m->started, distance_covered(m)))                                                                        \
  ROW("Run", speed_mean, "m/s", "Distance divided by duration.", ratio(distance_covered(m), m->duration))              \
  ROW("Run", realtime_factor, "-", "Simulated time divided by wall-clock time.", m->realtime_factor)                   \
  ROW("Run", fell, "bool", "A part other than a foot bore weight.", m->fall.fell)                                      \
  ROW("Run", time_of_fall, "s", "Time of the first fall.", applies(m->fall.fell, m->fall.first_time))                  \
  ROW("Run", got_up, "bool",                                                                                           \
      "The character stands again after its last fall: for 1 s only feet bear weight, and the centre of mass is "      \
      "above 80 % of its mean height before the fall.",                                                                \
      applies(m->fall.fell, !m->fall.down))                                                                            \
  ROW("Run", time_to_get_up, "s", "Longest time from a fall until the character had got up, including this 1 s.",      \
      applies(!m->fall.down, m->fall.get_up_time_max))                                                                 \
  ROW("Run", time_to_settle, "s", "Longest time from a fall until the character lay still.", m->fall.settle_time_max)  \
  ROW("Run", rise_time, "s",                                                                                            \
      "Time from the beginning of the last successful attempt to get up until only the feet bear weight for good.",     \
      m->fall.rise_time)                                                                                                \
  ROW("Run", get_up_attempts, "-", "Number of attempts to get up.", m->fall.attempts)                                  \
  ROW("Run", get_up_assist_impulse, "N s", "Part of `assist_impulse` during getting up.",                              \
      applies(m->fall.attempts > 0, m->fall.help_impulse))                                                             \
  ROW("Run", get_up_assist_force, "N", "Largest force of the assist during getting up.",                               \
      applies(m->fall.attempts > 0, m->fall.help_max))                                                                 \
  ROW("Run", penetration_max, "m", "Largest depth of any part in the ground.", m->fall.depth_max)                      \
  ROW("Fall", fall_time_to_hand, "s",                                                                                  \
      "Time from the first moment of the first fall to the first touch of a hand. A fall begins when the pelvis "      \
      "comes down faster than 0.2 m/s and does so until something but the feet touches the ground.",                   \
      applies(m->fall.fell, landing_time_to_hand(&m->landing)))                                                        \
  ROW("Fall", fall_time_to_pelvis, "s", "The same to the first touch of the pelvis.",                                  \
      applies(m->fall.fell, landing_time_to_pelvis(&m->landing)))                                                      \
  ROW("Fall", fall_hand_lead, "s",                                                                                     \
      "Time from the first touch of a hand to that of the pelvis, negative where the pelvis came first.",              \
      applies(m->fall.fell, landing_hand_lead(&m->landing)))                                                           \
  ROW("Fall", fall_hand_speed, "m/s",                                                                                  \
      "Downward speed of the hand that touches the ground first, in the step before it does.",                         \
      applies(m->fall.fell, m->landing.hand_speed))                                                                    \
  ROW("Fall", fall_reach_speed, "m/s",                                                                                 \
      "Largest speed of a hand relative to the chest, which may turn, from the first moment of falling until a hand "  \
      "touches.",                                                                                                      \
      applies(m->fall.fell, m->landing.reach_speed))                                                                   \
  ROW("Fall", fall_pelvis_speed, "m/s", "Downward speed of the pelvis in the step before it touches the ground.",      \
      applies(m->fall.fell, m->landing.pelvis_speed))                                                                  \
  ROW("Fall", fall_head_speed, "m/s",                                                                                  \
      "The same of the head. No value: it did not touch within 1 s of the first touch.",                               \
      applies(m->fall.fell, m->landing.head_speed))                                                                    \
  ROW("Fall", fall_knee_flexion, "deg", "Flexion of the knees as the pelvis touches the ground, mean of both.",        \
      applies(m->fall.fell, degrees(m->landing.knee)))                                                                 \
  ROW("Fall", fall_hip_flexion, "deg", "The same of the hips, from where thigh and trunk are in line.",                \
      applies(m->fall.fell, degrees(m->landing.hip)))                                                                  \
  ROW("Head", head_acceleration_max, "g",                                                                               \
      "Largest acceleration of the head's centre of mass, 0 at rest, in 9.81 m/s^2, filtered by SAE J211's class "      \
      "1000, both passes forward. In steps of 0.24 ms and more, as the usual 4.2 ms, there is nothing to filter: "      \
      "the value is then a mean over a step, and a shorter blow has a higher peak in truth.",                           \
      m->head.acceleration_max / STANDARD_GRAVITY)                                                                      \
  ROW("Head", head_angular_acceleration_max, "rad/s^2", "Its largest angular acceleration, filtered the same.",         \
      m->head.angular_max)                                                                                              \
  ROW("Head", head_hit_acceleration, "g", "The largest acceleration within 0.1 s of a hit on any part.",                \
      m->head.hit_acceleration_max / STANDARD_GRAVITY)                                                                  \
  ROW("Head", head_hit_angular_acceleration, "rad/s^2", "The largest angular acceleration in this time.",               \
      m->head.hit_angular_max)                                                                                          \
  ROW("Head", head_hic15, "-",                                                                                          \
      "Head injury criterion of that acceleration (FMVSS 208): the largest duration, in s, times the mean "             \
      "acceleration, in g, to the power of 2.5, over intervals of at most 15 ms.",                                      \
      m->head.hic)                                                                                                      \
  ROW("Reaction", first_step_lift_off, "s",                                                                             \
      "Time from the blow until a foot leaves the ground for the first step that lands more than 3 cm away. The blow: " \
      "the first hit, or the onset that the scene's `protocol` gives; the rows of this group count from it. A swing "   \
      "that has begun before is not an answer.",                                                                        \
      m->reaction.lift_off)                                                                                             \
  ROW("Reaction", first_step_touch_down, "s", "The same until this foot carries load again.", m->reaction.touch_down)   \
  ROW("Reaction", first_step_length, "m", "Horizontal distance from where this foot stood to where it lands.",          \
      m->reaction.length)                                                                                               \
  ROW("Reaction", first_step_width, "m", "Distance of the feet across the heading as it lands.", m->reaction.width)     \
  ROW("Reaction", first_step_margin, "m",                                                                               \
      "Margin of stability as it lands, see support_margin_min (Hof, Gazendam and Sinke 2005, J. Biomech. 38:1).",      \
      m->reaction.margin)                                                                                               \
  ROW("Reaction", foot_strike_time, "s",                                                                                \
      "Time from the blow until the first foot carries load again more than 3 cm from where it stood, whenever it "     \
      "left the ground: of a walker the foot that swings at the blow.",                                                 \
      m->reaction.strike.time)                                                                                          \
  ROW("Reaction", foot_strike_length, "m", "Horizontal distance from where this foot stood to where it lands.",         \
      m->reaction.strike.length)                                                                                        \
  ROW("Reaction", foot_strike_width, "m", "Distance of the feet across the heading as it lands.",                       \
      m->reaction.strike.width)                                                                                         \
  ROW("Reaction", foot_strike_margin_ahead, "m",                                                                        \
      "Margin of stability along the heading as it lands: how far the foremost edge of its sole is ahead of the "       \
      "extrapolated centre of mass; negative: behind (Hof, Gazendam and Sinke 2005, J. Biomech. 38:1).",                \
      m->reaction.strike.ahead)                                                                                         \
  ROW("Reaction", foot_strike_margin_side, "m",                                                                         \
      "The same across the heading, to the side where this foot stands from the other one: how far the outer edge of "  \
      "its sole is beyond the extrapolated centre of mass.",                                                                                   \
      m->reaction.strike.side)                                                                                          \
  ROW("Reaction", release_lean, "deg",                                                                                  \
      "As a cable lets go that held the body: the angle from the vertical of the line from the middle of the ankles "   \
      "to the centre of mass, along the cable.",                                                                        \
      degrees(m->reaction.lean))                                                                                        \
  ROW("Reaction", release_lean_recovered, "deg",                                                                        \
      "The same, of a body that did not fall afterwards and took at most one step to avoid it.",                        \
      applies(!m->fall.fell && m->reaction.steps <= 1, degrees(m->reaction.lean)))                                      \
  ROW("Reaction", release_force, "-", "The cable's force before, mean of 0.1 s, as a share of the body's weight.",      \
      m->reaction.cable_force)                                                                                          \
  ROW("Reaction", reaction_steps, "-",                                                                                  \
      "Steps since the blow: of a character that balances by itself, those that it begins to avoid a fall or to "       \
      "walk; of others touch-downs more than 3 cm away from where the foot stood.",                                     \
      applies(m->reaction.begun, m->reaction.steps))                                                                    \
  ROW("Reaction", angular_momentum_max, "N m s",                                                                        \
      "Largest angular momentum of the whole body about its centre of mass since the blow.",                            \
      applies(m->reaction.begun, m->reaction.momentum_max))                                                             \
  ROW("Reaction", absorbed_by_ankles, "J",                                                                              \
      "Energy that motion has put into the motors of the ankles since the blow: the integral of their negative power.", \
      applies(m->reaction.begun, m->reaction.absorbed[METRICS_ANKLES]))                                                 \
  ROW("Reaction", absorbed_by_knees, "J", "The same of the knees.",                                                     \
      applies(m->reaction.begun, m->reaction.absorbed[METRICS_KNEES]))                                                  \
  ROW("Reaction", absorbed_by_hips, "J", "The same of the hips.",                                                       \
      applies(m->reaction.begun, m->reaction.absorbed[METRICS_HIPS]))                                                   \
  ROW("Reaction", absorbed_by_others, "J", "The same of all other joints.",                                             \
      applies(m->reaction.begun, m->reaction.absorbed[METRICS_OTHER_JOINTS]))                                           \
  ROW("Reaction", trip_swing_share, "-",                                                                                \
      "Share of its swing at which an obstacle first caught a swinging foot; the swing would have lasted as long as "   \
      "the one before, of either foot.",                                                                                \
      m->trip.share)                                                                                                    \
  ROW("Reaction", trip_elevates, "bool",                                                                                \
      "The caught foot went on over the obstacle in the same swing, and landed more than 0.1 m farther on (elevating "  \
      "strategy); 0: it was put down before (lowering).",                                                               \
      m->trip.elevates)                                                                                                 \
  ROW("Hits", hits, "-", "Number of hits; impulses within 25 ms of each other count as one.", m->hits.hit_count)       \
  ROW("Hits", recovery_time, "s",                                                                                      \
      "Mean time to recovery from a hit; hits without recovery are left out. Recovered: the pose error is "            \
      "below 5 deg RMS, the velocity error of the centre of mass below 0.1 m/s and, for a character that should "      \
      "stand, the extrapolated centre of mass is over the feet, for 0.25 s and until a stride after the hit has "      \
      "ended.",                                                                                                        \
      ratio(h.recovery_time_sum, h.recovered))                                                                         \
  ROW("Hits", recovery_time_max, "s", "Longest of these times.", h.recovery_time_max)                                  \
  ROW("Hits", recovered_share, "-",                                                                                    \
      "Share of hits that the character recovered from before the next hit or the end, without a fall afterwards.",    \
      ratio(h.recovered, h.count))                                                                                     \
  ROW("Hits", hit_steps_max, "-",                                                                                       \
      "Largest number of steps that a hit took until recovery: touch-downs away from where the foot stood; of a "       \
      "character that balances by itself, its own steps.",                                                              \
      h.steps_max)                                                                                                      \
  ROW("Hits", peak_com_displacement, "m",                                                                              \
      "Largest horizontal displacement of the centre of mass by a hit, relative to its expected motion, "              \
      "until recovery is certain.",                                                                                    \
      h.displacement_max)                                                                                              \
  ROW("Hit response", hit_response_size, "deg",                                                                        \
      "Mean over joints and the 0.8 s after the first hit of the angle between the shown rotation of a joint and "     \
      "that in the same run without this hit. Only in studies with `responses: true`.",                                \
      m->hit_response.size)                                                                                            \
  ROW("Hit response", hit_response_peak, "deg", "Largest mean over joints of that angle at one time.",                 \
      m->hit_response.peak)                                                                                            \
  ROW("Hit response", hit_response_peak_time, "s", "Time from the hit to that peak, in steps of 1/60 s.",              \
      m->hit_response.peak_time)                                                                                       \
  ROW("Hit response", trunk_response_peak, "deg",                                                                      \
      "Largest angle in that time between the shown rotations of the trunk in the world with and without the hit.",    \
      m->hit_response.trunk_peak)                                                                                      \
  ROW("Hit response", trunk_response_peak_time, "s", "Time from the hit to that peak.",                                \
      m->hit_response.trunk_peak_time)                                                                                 \
  ROW("Hit response", head_response_peak, "deg", "The same of the head.", m->hit_response.head_peak)                   \
  ROW("Hit response", head_response_peak_time, "s", "Time from the hit to that peak.", m->hit_response.head_peak_time) \
  ROW("Hit response", torque_onset, "s",                                                                                \
      "Time from the first hit to the first change of any joint's torque by more than 1 N m against the same run "      \
      "without this hit: joints' own stiffness and damping answer at once, reflexes later.",                            \
      m->hit_response.torque_onset)                                                                                     \
  ROW("Hit response", neck_torque_onset, "s", "The same of the joint of the head.", m->hit_response.neck_onset)         \
  ROW("Hit response", leg_torque_onset, "s", "The same of the joints of the legs.", m->hit_response.leg_onset)          \
  ROW("Hit response", struck_leg_torque_onset, "s", "The same of the joints of the leg that was struck or caught.",     \
      m->hit_response.struck_leg_torque)                                                                                \
  ROW("Hit response", struck_leg_command_onset, "s",                                                                    \
      "Time from the first hit until what is asked of a joint of that leg changes by more than 1 N m against the same "  \
      "run without this hit: its goal times stiffness and damping, and torques in advance with those of reflexes; "     \
      "without what the joint's own stiffness and damping do at once. It is what an electromyogram shows of people, "   \
      "but for the muscle's own delay.",                                                                                \
      m->hit_response.struck_leg_command)                                                                               \
  ROW("Hit response", placement_time, "s",                                                                              \
      "Time from the first hit until a foot lands that was in the air for 0.05 s or more.",                             \
      m->hit_response.placement_time)                                                                                   \
  ROW("Hit response", placement_shift, "m",                                                                             \
      "How far across the heading that foot lands from where it does in the same run without this hit.",                \
      m->hit_response.placement_shift)                                                                                  \
  ROW("Hit response", error_removed_side, "-",                                                                          \
      "Share of the change of velocity across the heading, against the same run without this hit, that one stance "     \
      "removes: from the first flight that begins after the hit to the next flight. No value where the change is "     \
      "below 0.04 m/s.",                                                                                                \
      m->hit_response.removed_side)                                                                                     \
  ROW("Hit response", error_removed_ahead, "-", "The same along the heading.", m->hit_response.removed_ahead)           \
  ROW("Hit response", pressure_shift, "m",                                                                              \
      "Largest shift, in the 0.8 s after the first hit, of the centre of pressure across the heading against the "      \
      "same run without this hit, until other feet carry load than in that.",                                           \
      m->hit_response.pressure_shift)                                                                                   \
  ROW("Hit response", pressure_shift_onset, "s", "Time from the hit until that shift is more than 5 mm.",               \
      m->hit_response.pressure_onset)                                                                                   \
  ROW("Response", root_latency_max, "s",                                                                               \
      "Longest time from a change of the wanted velocity by more than 0.2 m/s until the leading root begins to "       \
      "follow.",                                                                                                       \
      response_root_latency_max(&m->responses))                                                                        \
  ROW("Response", body_latency_max, "s", "The same until the centre of mass has made half of the change.",             \
      response_body_latency_max(&m->responses))                                                                        \
  ROW("Pose", peak_pose_error, "deg",                                                                                  \
      "Peak of the RMS over joints of the angle between measured and target pose; the error of a single joint can "    \
      "be larger.",                                                                                                    \
      applies(m->started, m->pose_error_max))                                                                          \
  ROW("Pose", rms_pose_error, "deg", "RMS of that error over joints and time.",                                        \
      sqrt(ratio(m->error2_time, m->duration)))                                                                        \
  ROW("Pose", rms_pose_error_between_hits, "deg",                                                                      \
      "The same without the times from each hit until its recovery is certain.",                                       \
      sqrt(ratio(m->hits.quiet.error2_time, m->hits.quiet.time)))                                                      \
  ROW("Assist", assist_impulse, "N s", "Integral of the magnitude of the assist's force over time.",                   \
      m->assist_impulse)                                                                                               \
  ROW("Assist", assist_angular_impulse, "N m s", "Integral of the magnitude of the assist's torque over time.",        \
      m->assist_angular_impulse)                                                                                       \
  ROW("Assist", peak_assist_torque, "N m", "Largest torque of the assist.", m->assist_torque_max)                      \
  ROW("Assist", peak_assist_force, "N", "Largest force of the assist.", m->assist_force_max)                           \
  ROW("Assist", mean_assist_force, "N", "Assist impulse divided by duration.", ratio(m->assist_impulse, m->duration))  \
  ROW("Joints and energy", peak_torque, "N m", "Largest magnitude of the torque of any joint.",                        \
      applies(m->started, m->torque_max))                                                                              \
  ROW("Joints and energy", mean_power, "W", "Mean of the joints' absolute power, driving and braking.",                \
      ratio(m->energy, m->duration))                                                                                   \
  ROW("Joints and energy", cost_of_transport, "-",                                                                     \
      "Energy divided by weight and distance; no value for distances below 1 m.",                                      \
      applies(distance_covered(m) >= TRANSPORT_DISTANCE,                                                               \
          ratio(m->energy, m->mass * STANDARD_GRAVITY * distance_covered(m))))                                         \
  ROW("Balance", steps_taken, "-", "Touch-downs of feet in the whole run that follow 0.05 s or more without load.",    \
      m->steps_taken)                                                                                                  \
  ROW("Balance", support_margin_min, "m",                                                                              \
      "Smallest margin of stability: distance from the extrapolated centre of mass to the border of the base of "      \
      "support, negative outside; without the times when the character is down.",                                      \
      m->support_margin_min)                                                                                           \
  ROW("Feet", foot_slip_mean, "m",                                                                                     \
      "Largest horizontal displacement of the measured sole relative to its support during a stance while the sole "   \
      "lies flat, from two frames after touch-down to two frames before lift-off: mean of all stances.",               \
      ratio(m->measured_feet.slip_sum, m->measured_feet.stances))                                                      \
  ROW("Feet", foot_slip_max, "m", "The same for the worst stance.",                                                    \
      applies(m->measured_feet.stances > 0, m->measured_feet.slip_max))                                                \
  ROW("Feet", skate_ratio, "%",                                                                                        \
      "Share of frames in which the whole measured sole is lower than 5 cm, was so in the frame before, and moves "    \
      "horizontally at more than 0.2 m/s. Feet are counted separately, frames in which the character is down are "     \
      "left out. Swings that stay below 5 cm, as those of small steppers, count as skating.",                          \
      100 * ratio((double)m->measured_feet.skating_frames, (double)m->measured_feet.frames))                           \
  ROW("Feet", output_foot_slip_mean, "m", "The same for the output pose, mean of all stances.",                        \
      ratio(m->output_feet.slip_sum, m->output_feet.stances))                                                          \
  ROW("Feet", output_foot_slip_max, "m", "The same for the output pose, worst stance.",                                \
      applies(m->output_feet.stances > 0, m->output_feet.slip_max))                                                    \
  ROW("Feet", output_skate_ratio, "%", "The same for the output pose.",                                                \
      100 * ratio((double)m->output_feet.skating_frames, (double)m->output_feet.frames))                               \
  ROW("Feet", foot_refusals, "-", "Stances in which a foot could not stand at its planned place, for any reason.",     \
      all_refusals(m))                                                                                                 \
  FOOT_REFUSALS(REFUSAL_ROW, ROW)                                                                                      \
  ROW("Feet", foot_penetration_max, "m",                                                                               \
      "Largest depth in the ground of the sole of a foot that should stand, in the output pose: the shortest "         \
      "distance out of the ground upward or, horizontally, backward, forward and to the sides, so that sides of "      \
      "blocks count too.",                                                                                             \
      m->output_soles.penetration_max)                                                                                 \
  ROW("Feet", foot_float_max, "m",                                                                                     \
      "Largest height of such a sole above the ground: of its lowest point while the sole in the animation touches "   \
      "its own ground, and of its higher end during the flat phase of a stance. The flat phase is from the first "     \
      "to the last frame in which both ends of the foot in the animation are on the ground (5 mm), or the whole "      \
      "stance if they never are, so that heel strike and rolling over the toes do not count. An end that overhangs "   \
      "an edge is replaced by the outermost point of the sole that has ground within reach: no steeper than 60 "       \
      "deg, and at most 3 cm below the supporting plane.",                                                             \
      m->output_soles.float_max)                                                                                       \
  ROW("Feet", foot_angle_error_rms, "deg",                                                                             \
      "RMS angle between such a sole and the ground under its supporting parts, in the flat phase.",                   \
      degrees(sqrt(ratio(m->output_soles.angle_error2_sum, (double)m->output_soles.flat_frames))))                     \
  ROW("Feet", body_foot_penetration_max, "m",                                                                          \
      "The same for feet of the body that carry load.",                                                                \
      m->measured_soles.penetration_max)                                                                               \
  ROW("Feet", body_foot_float_max, "m",                                                                                \
      "The same for such feet.", m->measured_soles.float_max)                                                          \
  ROW("Feet", body_foot_angle_error_rms, "deg",                                                                        \
      "The same for such feet.",                                                                                       \
      degrees(sqrt(ratio(m->measured_soles.angle_error2_sum, (double)m->measured_soles.flat_frames))))                 \
  ROW("Feet", foot_clearance_loss_max, "m",                                                                            \
      "Largest loss of clearance of a swinging foot, at heel, middle or toe, from 10 % to 90 % of the swing's "        \
      "time: clearance of the animation's sole above its own level ground, minus clearance in the output pose "        \
      "above the ground directly below.",                                                                              \
      m->output_swings.loss_max)                                                                                       \
  ROW("Feet", body_foot_clearance_loss_max, "m", "The same for the body.", m->measured_swings.loss_max)                \
  ROW("Feet", foot_jump_max, "m",                                                                                      \
      "Largest excess of the distance that a sole of the output pose moves in 1/60 s over that of the animation's "    \
      "sole before foot placement; only while no part of the leg is shown as the physical body.",                      \
      m->foot_jumps.distance_max)                                                                                      \
  ROW("Feet", standing_jitter_rms, "m",                                                                                \
      "RMS distance of an ankle of the output pose from its mean position during a second, for the worst second "      \
      "and foot. Only seconds count in which the foot is planted, and in which, as in the second before, there is "    \
      "no hit and the leading root neither moves (0.1 m/s) nor turns (0.1 rad/s).",                                    \
      m->output_standing.jitter_max)                                                                                   \
  ROW("Feet", body_standing_jitter_rms, "m", "The same for the body.", m->measured_standing.jitter_max)                \
  ROW("Feet", feet_supported_share, "-",                                                                               \
      "Share of frames of such standing in which all feet that should stand are on the ground in the output pose: "    \
      "heel, middle or toe within 5 mm.",                                                                              \
      share(m->output_standing.supported_frames, m->output_standing.frames))                                           \
  ROW("Feet", body_feet_supported_share, "-", "Share of these frames in which all these feet of the body carry load.", \
      share(m->measured_standing.supported_frames, m->measured_standing.frames))                                       \
  ROW("Gait", stance_share, "-",                                                                                       \
      "Share of a stride in which a foot of the body carries load. A stride lasts from one touch-down of a foot to "   \
      "the next, which must be at most 3 s later and at least 3 cm away; the rows of this group need three "           \
      "strides.",                                                                                                      \
      gait_stance_share(&m->measured_gait))                                                                            \
  ROW("Gait", output_stance_share, "-", "Share of a stride in which a foot should stand according to the animation.",  \
      gait_stance_share(&m->output_gait))                                                                              \
  ROW("Gait", double_support_share, "-",                                                                               \
      "Share of the body's strides in which both feet carry load; only for characters with two feet.",                 \
      gait_double_support_share(&m->measured_gait))                                                                    \
  ROW("Gait", cadence, "steps/min", "Steps per minute of the body; each stride of a foot counts as one step.",         \
      gait_cadence(&m->measured_gait))                                                                                 \
  ROW("Gait", step_length, "m",                                                                                        \
      "Mean horizontal displacement of a foot of the body in a stride, divided by the number of feet.",                \
      gait_step_length(&m->measured_gait))                                                                             \
  ROW("Gait", pelvis_range, "m",                                                                                       \
      "Mean vertical range of the root of the output pose above the smoothed ground in a stride of the animation.",    \
      gait_root_range(&m->output_gait))                                                                                \
  ROW("Gait", body_pelvis_range, "m", "The same for the root of the body in its own strides.",                         \
      gait_root_range(&m->measured_gait))                                                                              \
  ROW("Plan", goals_reached, "-", "Number of goals that the body has reached, in order, within 0.6 m.",                \
      m->goals_reached)                                                                                                \
  ROW("Plan", goal_clearance_min, "m",                                                                                 \
      "Smallest distance from the body to an obstacle, both approximated by circles.",                                 \
      m->goal_clearance_min)                                                                                           \
  ROW("Plan", goal_stuck_time, "s", "Time in which no path led to the goal, so that the planner stood still.",         \
      m->goal_stuck_time)                                                                                              \
  ROW("Plan", clip_changes, "-", "Number of times that the planner changed to another move.", m->clip_changes)         \
  ROW("Output", shown_error_max_angle, "deg",                                                                          \
      "Largest angle between a part in the output pose and the same part of the physical body, in the world, so that "  \
      "a body that tilts as a whole counts too. Undefined for kinematic bodies, like the next four metrics.",         \
      applies(m->shown.parts > 0, degrees(m->shown.angle_max)))                                                        \
  ROW("Output", shown_error_rms_angle, "deg", "RMS of that angle over parts and time.",                                \
      degrees(sqrt(ratio(m->shown.angle2_sum, (double)m->shown.parts))))                                               \
  ROW("Output", shown_error_max_distance, "m",                                                                         \
      "Largest distance between the joint of a part in the output pose and that of the physical body.",                \
      applies(m->shown.parts > 0, m->shown.distance_max))                                                              \
  ROW("Output", shown_error_max_root, "m", "The same for the root, which is the pelvis of most bodies.",                            \
      applies(m->shown.parts > 0, m->shown.root_distance_max))                                                         \
  ROW("Output", shown_error_time, "s",                                                                                 \
      "Time in which any part of the output pose was more than 8 deg or 4 cm off the physical body.",                                 \
      applies(m->shown.parts > 0, m->shown.time))                                                                      \
  ROW("Output", graph_refusals, "-",                                                                                   \
      "Transitions of the graph that were requested while the clip could not be left safely, and so were refused.",    \
      m->graph_refusals)                                                                                               \
  ROW("Output", knee_pop_max, "deg/s^2",                                                                               \
      "Largest angular acceleration of a knee of the output pose, over three frames.",                                 \
      degrees(m->output_soles.knee_acceleration_max))                                                                  \
  ROW("Output", body_knee_pop_max, "deg/s^2",                                                                          \
      "The same for the body.", degrees(m->measured_soles.knee_acceleration_max))                                      \
  ROW("Output", output_jump_max_angle, "deg",                                                                          \
      "Largest excess of the rotation of a joint of the output pose between two frames over the larger of those of "   \
      "target and measured pose.",                                                                                     \
      degrees(m->jumps.angle_max))                                                                                     \
  ROW("Output", output_jump_max_distance, "m", "The same for the position of the root.", m->jumps.distance_max)        \
  ROW("Output", target_jump_max_angle, "deg",                                                                          \
      "Largest excess of the rotation of a joint of the target between two frames over the larger of those "           \
      "directly before and after: jumps caused by clips or layers, which output_jump_max_angle does not show.",        \
      degrees(m->jumps.target_angle_max))                                                                              \
  ROW("Output", target_jump_max_distance, "m", "The same for the position of the root.", m->jumps.target_distance_max)
// clang-format on

#define METRIC_ROW(group, name, unit, doc, value) {group, #name, unit, doc},
const MetricRow metric_rows[] = {METRIC_ROWS(METRIC_ROW)};
const int metric_row_count = METRIC_ROW_COUNT;

#define METRIC_VALUE(group, name, unit, doc, value)                                                                    \
  static double value_##name(const Metrics *m, HitSummary h) {                                                         \
    (void)m, (void)h;                                                                                                  \
    return value;                                                                                                      \
  }
METRIC_ROWS(METRIC_VALUE)

#define METRIC_FUNCTION(group, name, unit, doc, value) value_##name,
static double (*const metric_functions[])(const Metrics *, HitSummary) = {METRIC_ROWS(METRIC_FUNCTION)};
static_assert(sizeof metric_functions / sizeof *metric_functions == METRIC_ROW_COUNT, "how many metrics there are");

bool metrics_value(const Metrics *metrics, const char *name, double *value) {
  for (int i = 0; i < metric_row_count; i++) {
    if (strcmp(metric_rows[i].name, name) == 0) {
      *value = metric_functions[i](metrics, summarize_hits(metrics));
      return true;
    }
  }
  return false;
}
