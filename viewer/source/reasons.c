// Reads the reasons from the channels of a frame, which traces have as well, and from the controllers of a run's
// present.
#include "viewer/source/reasons.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ragdoll/character/character_balance.h"
#include "ragdoll/character/character_fall.h"
#include "ragdoll/character/character_plan.h"
#include "sim/base/foot_refusal.h"
#include "sim/base/numbers.h"

enum { MOST_VALUES = 4 * BODY_MAX_PARTS };

static const float LEAST_SHARE = 0.05f; // of a response, or of lost strength, that is listed
static const double LEAST_FORCE = 0.5;  // N, N m; below that nobody helps
static const double LEAST_GAP = 0.01;   // m

// One character in one frame.
typedef struct Moment {
  const Source *source;
  const CharacterDef *def;
  const Character *now; // NULL: not the present of a run
  int character, frame;
  double time; // s
} Moment;

__attribute__((format(printf, 5, 6))) static void add(Reasons *reasons, const char *what, const char *doc, bool notable,
                                                      const char *format, ...) {
  if (reasons->count == REASONS_MAX)
    return;
  Reason *row = &reasons->rows[reasons->count++];
  *row = (Reason){.what = what, .doc = doc, .notable = notable};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(row->text, sizeof row->text, format, arguments);
  va_end(arguments);
}

// Appends to a list that is separated by commas.
__attribute__((format(printf, 2, 3))) static void append(char text[REASON_SIZE], const char *format, ...) {
  size_t used = strlen(text);
  if (used > 0 && used < REASON_SIZE - 3)
    used += (size_t)snprintf(text + used, REASON_SIZE - used, ", ");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, REASON_SIZE - used, format, arguments);
  va_end(arguments);
}

// The values of a channel of the character. Returns their number; 0: the source has no such channel.
static int read_channel(const Moment *moment, const char *path, float values[MOST_VALUES]) {
  char whole[192];
  Error error = {0};
  snprintf(whole, sizeof whole, "/characters/%s/%s", moment->def->name, path);
  int channel = frames_find(moment->source->frames, whole);
  const FrameChannel *found = channel >= 0 ? frames_channel(moment->source->frames, channel) : NULL;
  if (!found || found->rows * found->width > MOST_VALUES)
    return 0;
  return frames_read(moment->source->frames, channel, moment->frame, values, &error) ? found->rows * found->width : 0;
}

static FallState state_of(const Moment *moment) {
  float state[MOST_VALUES] = {0};
  read_channel(moment, "state", state);
  return (FallState)lroundf(state[0]);
}

// ---- The root ----

static const char *fall_text(FallState state) {
  static const char *const TEXTS[] = {
      [FALL_UPRIGHT] = "upright", [FALL_LYING] = "lies", [FALL_FALLING] = "falls", [FALL_RISING] = "gets up"};
  return state >= FALL_UPRIGHT && state <= FALL_RISING ? TEXTS[state] : "unknown";
}

static const char *fall_cause(FallReason reason) {
  static const char *const TEXTS[] = {[FALL_NOTHING] = "",
                                      [FALL_LOST] = ": no step can catch him",
                                      [FALL_GROUND] = ": more than his feet bears weight",
                                      [FALL_THROWN] = ": he was thrown while he got up",
                                      [FALL_STUCK] = ": he could not follow the clip",
                                      [FALL_SETTLED] = ": he has come to rest",
                                      [FALL_RESTED] = ": he has rested",
                                      [FALL_CAUGHT] = "",
                                      [FALL_STANDING] = ""};
  return TEXTS[reason];
}

static void write_balance(const Balancer *balance, char *text, size_t size) {
  const char *foot = balance->swing == BALANCE_LEFT ? "left" : "right";
  if (balance->mode != BALANCE_STEPPING)
    snprintf(text, size, "balance: stands, margin %.0f mm", 1000 * balance->margin);
  else
    snprintf(text, size, "balance: %s, %s foot in the air", balance->walking ? "walks" : "steps to catch himself",
             foot);
}

// The driver of the present, in the order of character_root_step.
static void write_driver(const Character *now, char *text, size_t size) {
  if (character_balances(now))
    write_balance(&now->balance, text, size);
  else if (character_fall_leads(now))
    snprintf(text, size, "fall: %s%s", fall_text(now->fall.machine.state), fall_cause(now->fall.machine.reason));
  else if (character_plans(now))
    snprintf(text, size, "planner: %d of %d goals reached%s", now->plan.reached, now->def->goal_count,
             now->plan.stuck     ? ", no way to the next"
             : now->plan.detours ? ", around obstacles"
                                 : "");
  else if (now->root.airborne)
    snprintf(text, size, "falls freely: there is no ground");
  else
    snprintf(text, size, "%s, as wanted: %.2f m/s, %.0f deg",
             now->graph       ? "graph"
             : now->def->move ? "clip"
                              : "pose",
             now->intent.speed, now->intent.heading);
}

// The same of a recorded moment, from the scene and what the trace has.
static const char *recorded_driver(const CharacterDef *def, FallState state) {
  if (state != FALL_UPRIGHT)
    return "fall";
  if (def->balance.enabled && !def->drive.kinematic)
    return "balance";
  return def->planner ? "planner" : def->graph ? "graph" : def->move ? "clip" : "pose";
}

static void add_root(const Moment *moment, Reasons *reasons) {
  static const char DOC[] = "Who leads the place at which the animation stands on the ground";
  FallState state = state_of(moment);
  char text[REASON_SIZE];
  if (moment->now)
    write_driver(moment->now, text, sizeof text);
  else
    snprintf(text, sizeof text, "%s%s%s", recorded_driver(moment->def, state), state != FALL_UPRIGHT ? ": " : "",
             state != FALL_UPRIGHT ? fall_text(state) : "");
  add(reasons, "root", DOC, state != FALL_UPRIGHT, "%s", text);
}

static void add_skill(const Moment *moment, Reasons *reasons) {
  if (moment->def->skill_count == 0)
    return;
  static const char DOC[] = "The learnt controller that turns the joints' goals";
  const SkillDef *skill = moment->now ? moment->now->skill.active : NULL;
  add(reasons, "skill", DOC, false, "%s", skill ? skill->name : moment->now ? "none now" : "not in the trace");
}

// ---- The body ----

static void add_gap(const Moment *moment, Reasons *reasons) {
  static const char DOC[] = "From the pelvis of the target to that of the body; the root waits beyond its leash";
  float target[MOST_VALUES], body[MOST_VALUES];
  if (read_channel(moment, "pose/target/root_position", target) != 3 ||
      read_channel(moment, "pose/measured/root_position", body) != 3)
    return;
  double gap =
      hypot(hypot((double)(body[0] - target[0]), (double)(body[1] - target[1])), (double)(body[2] - target[2]));
  if (gap >= LEAST_GAP)
    add(reasons, "body", DOC, false, "%.0f mm from its target%s", 1000 * gap,
        gap > moment->def->root.leash ? ", beyond the leash" : "");
}

static double length_of(const float vector[3]) {
  return sqrt((double)(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]));
}

static void add_assist(const Moment *moment, Reasons *reasons) {
  static const char DOC[] = "Force and torque from outside, mean over the steps since the frame before";
  float force[MOST_VALUES] = {0}, torque[MOST_VALUES] = {0};
  read_channel(moment, "assist/force", force);
  read_channel(moment, "assist/torque", torque);
  double newtons = length_of(force), turn = length_of(torque);
  const AssistDef *def = &moment->def->assist;
  bool helps = newtons >= LEAST_FORCE || turn >= LEAST_FORCE, kinematic = moment->def->drive.kinematic;
  const Assist *now = moment->now ? &moment->now->assist : NULL; // its limits change while he gets up
  if (kinematic)
    add(reasons, "held", DOC, helps, "%.0f N, %.0f N m keep him to his animation", newtons, turn);
  else if (helps || def->enabled)
    add(reasons, "assist", DOC, helps, "%.0f of %.0f N, %.0f of %.0f N m", newtons, now ? now->force : def->force, turn,
        now ? now->torque : def->torque);
  else
    add(reasons, "assist", DOC, false, "0 N: none");
}

static const char *joint_name(const Moment *moment, int joint) { return moment->def->body->parts[joint + 1].name; }

static void add_strength(const Moment *moment, Reasons *reasons) {
  static const char DOC[] = "Hits, falls and lying reduce the strength of joints";
  float strength[MOST_VALUES];
  int count = read_channel(moment, "joints/strength", strength), weakest = 0;
  for (int i = 1; i < count; i++)
    weakest = strength[i] < strength[weakest] ? i : weakest;
  if (count > 0 && strength[weakest] < 1 - LEAST_SHARE)
    add(reasons, "joints", DOC, false, "weakest: %s, %.0f %% of its strength", joint_name(moment, weakest),
        (double)(100 * strength[weakest]));
}

static void add_shown(const Moment *moment, Reasons *reasons) {
  static const char DOC[] = "How much of the shown pose is physics, the joint with most";
  float blend[MOST_VALUES];
  int count = read_channel(moment, "joints/blend", blend), most = 0;
  for (int i = 1; i < count; i++)
    most = blend[i] > blend[most] ? i : most;
  if (count > 0 && blend[most] > LEAST_SHARE)
    add(reasons, "shown", DOC, false, "up to %.0f %% physics (%s)", (double)(100 * blend[most]),
        joint_name(moment, most));
}

// ---- Blows and responses ----

static void add_blow(const Moment *moment, Reasons *reasons) {
  static const char DOC[] = "The latest impulse on him in the last second";
  const HitMark *latest = NULL;
  for (int i = 0; i < moment->source->hit_count; i++) {
    const HitMark *hit = &moment->source->hits[i];
    bool recent = hit->start <= moment->time && moment->time <= hit->end + HIT_TEXT_TIME;
    if (hit->character == moment->character && recent && (!latest || hit->start >= latest->start))
      latest = hit;
  }
  if (latest)
    add(reasons, "blow", DOC, false, "%.1f N s on %s, %.2f s ago", (double)glms_vec3_norm(latest->impulse_w),
        moment->def->body->parts[latest->part].name, moment->time - latest->start);
}

static void list_hands(const Responses *responses, char text[REASON_SIZE]) {
  static const char *const HANDS[] = {"left hand to", "right hand to", "both hands before"};
  for (int i = 0; i < RESPONSES_MAX_BLOWS; i++) {
    const Blow *blow = &responses->blows[i];
    if (blow->active && blow->hand < RESPONSE_NO_HAND && blow->age >= blow->late * responses->def.reach_latency)
      append(text, "%s %s", HANDS[blow->hand], responses->body.body->parts[blow->part].name);
  }
}

static void list_responses(const Responses *responses, char text[REASON_SIZE]) {
  const BodyDef *body = responses->body.body;
  float tension = 0;
  for (int i = 0; i < body->part_count; i++)
    tension = fmaxf(tension, responses->tension[i]);
  if (tension > LEAST_SHARE)
    append(text, "tenses by %.0f %%", (double)(100 * tension));
  double out = fmax(fabs(responses->arms_out[0]), fabs(responses->arms_out[1]));
  if (out > (double)LEAST_SHARE)
    append(text, "arms out by %.0f %%", 100 * out);
  list_hands(responses, text);
  for (int i = 0; i < body->part_count; i++)
    if (responses->strength[i] < 1 - LEAST_SHARE)
      append(text, "%s gives way", body->parts[i].name);
  for (int i = 0; i < body->skeleton.leg_count; i++)
    if (responses->lifts[i])
      append(text, "lifts the %s foot", body->skeleton.legs[i].name);
  if (responses->busy > (double)LEAST_SHARE)
    append(text, "%.0f %% busy with balance", 100 * responses->busy);
}

static void add_responses(const Moment *moment, Reasons *reasons) {
  static const char DOC[] = "What he does about a blow beside what his body does by itself (section responses)";
  if (!moment->def->responses.enabled)
    return;
  char text[REASON_SIZE] = "";
  if (moment->now && moment->now->responses.able)
    list_responses(&moment->now->responses, text);
  const char *otherwise = moment->now ? "none now" : "not in the trace";
  add(reasons, "responds", DOC, false, "%s", text[0] != '\0' ? text : otherwise);
}

// ---- Refusals ----

static void add_refusals(const Moment *moment, Reasons *reasons) {
  static const char FEET[] = "Why a foot stands, or will stand, away from its planned place";
  static const char GRAPH[] = "Transitions that the graph has refused so far, as the clip could not be left safely";
  float refusals[MOST_VALUES], count[MOST_VALUES] = {0};
  const Skeleton *skeleton = &moment->def->body->skeleton;
  char text[REASON_SIZE] = "";
  for (int i = read_channel(moment, "feet/refusal", refusals) - 1; i >= 0; i--) {
    int why = (int)refusals[i];
    if (why > 0 && why < FOOT_REFUSAL_COUNT && i < skeleton->leg_count)
      append(text, "%s foot: %s", skeleton->legs[i].name, foot_refusal_name((FootRefusal)why));
  }
  if (text[0] != '\0')
    add(reasons, "refused", FEET, true, "%s", text);
  if (read_channel(moment, "graph/refusals", count) > 0 && count[0] > 0)
    add(reasons, "refused", GRAPH, false, "%.0f transitions so far", (double)count[0]);
}

void reasons_find(const Source *source, int character, double time, Reasons *reasons) {
  *reasons = (Reasons){.count = 0};
  Moment moment = {
      .source = source, .def = &source->def->characters[character], .frame = frames_near(source->frames, time)};
  moment.character = character;
  moment.time = frames_time(source->frames, moment.frame);
  reasons->present = source->live && moment.frame == frames_end(source->frames) - 1;
  if (reasons->present)
    moment.now = source->live->scene->characters[character];
  add_root(&moment, reasons);
  add_skill(&moment, reasons);
  add_assist(&moment, reasons);
  add_gap(&moment, reasons);
  add_blow(&moment, reasons);
  add_responses(&moment, reasons);
  add_strength(&moment, reasons);
  add_shown(&moment, reasons);
  add_refusals(&moment, reasons);
}
