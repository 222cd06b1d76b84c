// The table of what people showed, with sources.
#include "scenes/report/human_bands.h"

#include <math.h>

const char *const human_confidence_names[] = {"read", "derived", "recalled"};

#define OF(name) (1u << PROTOCOL_##name)
#define FALLS (OF(FALL) | OF(FALL_SIDEWAYS))
#define WITHIN(mean, sd) (mean) - 2 * (sd), (mean) + 2 * (sd)
#define ALWAYS NULL, 0, 0

static const char HOF_2010[] = "Hof, Vermerris & Gjaltema 2010, J Exp Biol 213:2655";
static const char GERIATR_2020[] = "BMC Geriatr 2020, 10.1186/s12877-020-01650-4, table 2";
static const char GERIATR_2022[] = "BMC Geriatr 2022 22:400, discussion";
static const char CHOI_2015[] = "Choi, Wakeling & Robinovitch 2015, J Biomech 48:911";
static const char FELDMAN_2007[] = "Feldman & Robinovitch 2007, J Biomech 40:2612";
static const char WALILKO_2005[] = "Walilko, Viano & Bir 2005, Br J Sports Med 39:710";
static const char SEETHAPATHI_2019[] = "Seethapathi & Srinivasan 2019, eLife 8:e38371, figure";
static const char HANLON_2012[] = "Hanlon & Bir 2012, Med Sci Sports Exerc 44:1102";
static const char NECK[] = "J Physiol 1995 489:911; Corna et al. 1996, J Physiol 496:589";

static const char OLDER_51[] = "51 older people who do not fall";
static const char FILMED[] = "falls of people of 80 years (mean) on video";
static const char PUNCHES[] = "18 punches of 7 Olympic boxers on a dummy's head";

// clang-format off
const HumanBand human_bands[] = {
    // Standing: the floor moves, a belt pulls.
    {"time to lift-off of the first step", "first_step_lift_off", "ms", 1000, HUMAN_VALUE, WITHIN(337, 88),
     "337, SD 88", OF(PLATFORM_SIDEWAYS), ALWAYS, false, OLDER_51, GERIATR_2020, HUMAN_READ},
    {"length of the first step", "first_step_length", "m", 1, HUMAN_VALUE, 0, 0.058 + 2 * 0.030,
     "0.058, SD 0.030", OF(PLATFORM_SIDEWAYS), ALWAYS, false, OLDER_51, GERIATR_2020, HUMAN_READ},
    // Mean - 2 SD of the largest displacement withstood, 0.162 m, SD 0.026: at 0.11 m nearly all keep their feet.
    {"steps as the floor moves backward by 0.11 m", "reaction_steps", "-", 1, HUMAN_VALUE, 0, 0,
     "none below 0.162 m, SD 0.026", OF(PLATFORM_BACKWARD), ALWAYS, false, "5 people of 20-30 years",
     "PMC6338353", HUMAN_DERIVED},
    // Means of the largest leans of two groups of ten; their deviations, and between which points the lean is measured, do
    // not stand in the abstracts.
    {"largest lean recovered with one step", "release_lean_recovered", "deg", 1, HUMAN_MOST, 30.7, 32.5,
     "30.7 (women), 32.5 (men)", OF(LEAN_RELEASE), ALWAYS, false, "10 women of 25.0, 10 men of 24.3 years (means)",
     "Wojcik et al. 1999, J Gerontol 54A:M44; Thelen et al. 1997, J Gerontol 52A:M8", HUMAN_READ},
    {"steps after a sideways pull at the waist", "reaction_steps", "-", 1, HUMAN_VALUE, 1, 1,
     "1, usually", OF(WAIST_PULL), ALWAYS, false, "young people",
     "Borrelli et al. 2020, J Biomech 114:110161", HUMAN_READ},
    // The source's R2 are of single steps of older people; the limits are ours: less than 0.3 for when, and a length that
    // grows at all.
    {"how far size decides when the step begins (R2)", "first_step_lift_off", "-", 1, HUMAN_FIT, 0, 0.3,
     "0.155", OF(PUSH), ALWAYS, false, "older people, slip-like moves of the floor, one step", GERIATR_2022, HUMAN_READ},
    {"how far size decides the step's length (R2)", "first_step_length", "-", 1, HUMAN_FIT, 0.1, 1,
     "0.272", OF(PUSH), ALWAYS, false, "older people, slip-like moves of the floor, one step", GERIATR_2022, HUMAN_READ},
    // Walking.
    {"steps to full recovery", "hit_steps_max", "-", 1, HUMAN_VALUE, 0, 2,
     "2", OF(WALK_PUSH), ALWAYS, false, "10 people of 20 years (mean)", HOF_2010, HUMAN_READ},
    {"shift of the centre of pressure under the foot", "pressure_shift", "m", 1, HUMAN_VALUE, 0, 0.02,
     "0.02 at most", OF(WALK_PUSH), ALWAYS, true, "10 people of 20 years (mean)", HOF_2010, HUMAN_READ},
    {"time until it shifts", "pressure_shift_onset", "ms", 1000, HUMAN_VALUE, 200, INFINITY,
     "200 at least", OF(WALK_PUSH), ALWAYS, true, "10 people of 20 years (mean)", HOF_2010, HUMAN_READ},
    // "Least time before foot placement: 300 ms": what is as good as no change is ours.
    {"sideways shift of a foot that lands within 300 ms", "placement_shift", "m", 1, HUMAN_VALUE, 0, 0.02,
     "hardly any", OF(WALK_PUSH), "placement_time", 0, 0.3, true, "10 people of 20 years (mean)", HOF_2010, HUMAN_READ},
    // Running. "About": a fifth to either side is ours.
    {"error of sideways velocity that a stance removes", "error_removed_side", "%", 100, HUMAN_VALUE, 80, 120,
     "100, about", OF(RUN_PUSH), ALWAYS, true, "8 runners, their own variability", SEETHAPATHI_2019, HUMAN_READ},
    {"error of forward velocity that a stance removes", "error_removed_ahead", "%", 100, HUMAN_VALUE, 50, 90,
     "70, about", OF(RUN_PUSH), ALWAYS, true, "8 runners, their own variability", SEETHAPATHI_2019, HUMAN_READ},
    // Muscles' activity (EMG), so it is held against what is asked of the joints.
    {"first reaction of the caught leg", "struck_leg_command_onset", "ms", 1000, HUMAN_VALUE, 60, 140,
     "60 to 140", OF(TRIP), "trip_swing_share", 0, 1, true, "walkers on a treadmill (EMG)",
     "Schillings et al. 2000, J Neurophysiol 83:2093", HUMAN_READ},
    // Early and late are a third and four fifths of the swing: the source's words as numbers of ours.
    {"caught early in the swing: elevating", "trip_elevates", "-", 1, HUMAN_VALUE, 1, 1,
     "1, all", OF(TRIP), "trip_swing_share", 0, 1.0 / 3, false, "walkers on a treadmill",
     "Schillings et al. 2000, J Neurophysiol 83:2093", HUMAN_READ},
    {"caught late in the swing: lowering", "trip_elevates", "-", 1, HUMAN_VALUE, 0, 0,
     "0, all", OF(TRIP), "trip_swing_share", 0.8, 1, false, "walkers on a treadmill",
     "Schillings et al. 2000, J Neurophysiol 83:2093", HUMAN_READ},
    // Falls.
    {"a hand before the pelvis", "fall_hand_lead", "ms", 1000, HUMAN_VALUE, -12, 175,
     "50, SD 40, -12 to 175", OF(FALL_SIDEWAYS), ALWAYS, false, "44 people of 19-26 years", FELDMAN_2007, HUMAN_READ},
    // 43 of 44 with Wilson's interval of 95 %.
    {"falls in which a hand touches", "fall_time_to_hand", "-", 1, HUMAN_SHARE, 0.88, 1,
     "0.98", OF(FALL_SIDEWAYS), ALWAYS, false, "44 people of 19-26 years", FELDMAN_2007, HUMAN_DERIVED},
    // 10 of 88 with Wilson's interval of 95 %.
    {"falls in which the head touches", "fall_head_speed", "-", 1, HUMAN_SHARE, 0.063, 0.197,
     "0.114", OF(FALL_SIDEWAYS), ALWAYS, false, "88 falls of young people on a pad of 20 cm",
     "PMC6501264, 10.1155/2019/6804614", HUMAN_DERIVED},
    {"speed of the pelvis at its touch, downward", "fall_pelvis_speed", "m/s", 1, HUMAN_VALUE, WITHIN(2.14, 0.63),
     "2.14, SD 0.63", 0, ALWAYS, false, FILMED, CHOI_2015, HUMAN_READ},
    {"speed of the head at its touch, downward", "fall_head_speed", "m/s", 1, HUMAN_VALUE, WITHIN(2.91, 0.86),
     "2.91, SD 0.86", 0, ALWAYS, false, FILMED, CHOI_2015, HUMAN_READ},
    {"speed of a hand at its touch, downward", "fall_hand_speed", "m/s", 1, HUMAN_VALUE, 0, 2.87 + 2 * 1.60,
     "2.87, SD 1.60", 0, ALWAYS, false, FILMED, CHOI_2015, HUMAN_READ},
    {"from the start of descent to the pelvis' touch", "fall_time_to_pelvis", "ms", 1000, HUMAN_VALUE, WITHIN(583, 255),
     "583, SD 255", 0, ALWAYS, false, FILMED, CHOI_2015, HUMAN_READ},
    // Blows on the head.
    {"acceleration of the head", "head_hit_acceleration", "g", 1, HUMAN_VALUE, WITHIN(58, 13),
     "58, SD 13", OF(PUNCH), ALWAYS, false, PUNCHES, WALILKO_2005, HUMAN_READ},
    {"angular acceleration of the head", "head_hit_angular_acceleration", "rad/s^2", 1, HUMAN_VALUE,
     WITHIN(6343, 1789), "6343, SD 1789", OF(PUNCH), ALWAYS, false, PUNCHES, WALILKO_2005, HUMAN_READ},
    {"acceleration of the head", "head_hit_acceleration", "g", 1, HUMAN_VALUE, 4.5, 62.9,
     "4.5 to 62.9", OF(HEADER), ALWAYS, false, "47 headers of girls in play", HANLON_2012, HUMAN_READ},
    {"angular acceleration of the head", "head_hit_angular_acceleration", "rad/s^2", 1, HUMAN_VALUE, 444.8, 8869.1,
     "444.8 to 8869.1", OF(HEADER), ALWAYS, false, "47 headers of girls in play", HANLON_2012, HUMAN_READ},
    {"first change of the neck's torque", "neck_torque_onset", "ms", 1000, HUMAN_VALUE, 22, 53.5,
     "22 (head dropped) to 53.5 (pulled)", OF(HEAD_PUSH), ALWAYS, true, "muscles of the neck (EMG)", NECK, HUMAN_READ},
    // Getting up.
    {"from the floor to standing", "rise_time", "s", 1, HUMAN_VALUE, WITHIN(4.1, 1.1),
     "4.1, SD 1.1", 0, ALWAYS, false, "52 healthy people of 50-90 years",
     "Bohannon & Lusardi 2004, Physiother Theory Pract 20:233", HUMAN_READ},
    {"from the floor to standing, young", "rise_time", "s", 1, HUMAN_VALUE, 2, 4,
     "2 to 4", OF(GET_UP) | FALLS, ALWAYS, false, "young people", "reviews", HUMAN_RECALLED},
};
// clang-format on
const int human_band_count = (int)(sizeof human_bands / sizeof human_bands[0]);

bool human_band_fits(const HumanBand *band, int protocol) {
  return band->protocols == 0 || (band->protocols >> protocol & 1) != 0;
}
