// What short runs of all kinds become in every format, pose and table, byte for byte but for Stagger's version, and
// what is told of it; where a trace places bodies between and beyond its frames.
#include "scenes/export/export.h"
#include "scenes/export/round_trip.h"
#include "tests/unit/recorded_run.h"

typedef struct Drill {
  const char *name, *world, *characters; // YAML
  double seconds;                        // s
  uint64_t digests[10];                  // of each format, and of the tables
} Drill;

#define MAN "body: bodies/human.yaml"

static const Drill DRILLS[] = {
    {"falls over another",
     "terrain: {kind: noise, amplitude: 0.05, x: [-4, 4], z: [-3, 5]}\n"
     "events: [{kind: impulse, time: 0.05, character: limp, part: chest, impulse: 60, direction: 170}, {kind: "
     "projectile, time: 0.1, character: calm, part: chest, direction: 180, mass: 3, speed: 8, radius: 0.11}]\n"
     "props: [{name: crate, size: [0.3, 0.2, 0.4], mass: 3, center: [0.6, 1, 0.3]}]\n"
     "platforms: [{name: ferry, size: [1, 0.3, 1], center: [-2, 0.2, 1], radius: 0.3}]\n"
     "cameras: [{name: beside, follow: limp, eye: [3, 1, 1], target: [0, 1, 0], fov: 40}, {name: far, eye: [-6, 2, 9], "
     "target: [0, 1, 0]}]",
     "[{name: calm, " MAN ", start: {position: [1.5, 0, 0], heading: -30}, animation: {stand: clips/idle.yaml, move: "
     "clips/walk.yaml}}, {name: limp, " MAN ", start: {heading: 70}, drive: {enabled: false}}]",
     0.25,
     {0x19376e73224a396f, 0xda5c0d4a9a3deec5, 0xb7aae49a6542a667, 0x8c0f5f441df499b4, 0x2e643e8d83a23d86,
      0xf7ad149825db5a1b, 0xcc2625068bbda936, 0x84a19ec1f0318eae, 0x953d20651b9df8a7, 0x13406fdd998970a8}},
    {"on four legs",
     "terrain: {kind: stairs, rise: 0.02, start: 0.1, cell: 0.05}\ntrace: {rate: 24}",
     "[{name: lizard, body: bodies/lizard.yaml, drive: {kinematic: true}, layers: [{kind: stepper}], intent: {speed: "
     "0.4}, start: {heading: 120}}]",
     1,
     {0x159e350f6dc00f5a, 0x1d8e1a833fd327c3, 0x19724e00d0192780, 0x78cfa012c69ad0f1, 0x48207595b003139e,
      0x4b02a17a2014eac6, 0x8fc76899e1278598, 0x1b8f19523e6d8d4b, 0x51aa8946622053b4, 0x1eceeff47bea97e4}},
    {"dolls",
     "world: {gravity: [0, -3, 0]}\ntrace: {rate: 50}",
     "[{name: doll, body: boxes.yaml, animation: {move: nod.yaml}, start: {position: [0, 0.3, 0]}}, {name: other, "
     "body: boxes.yaml, assist: {enabled: true, part: base}, start: {position: [1, 0.1, 0], heading: 200}}]",
     0.5,
     {0xdcec9058af22f227, 0xe6cb328bf3c4172b, 0xf35011fe080dfa6c, 0x1e41ef7dd37a0ea2, 0xcc482659c7c266ce,
      0xdc14a1cd49a58f26, 0x2ac8c07e1f61b27d, 0xfdc7cd4ab072bdad, 0x919a1dd066bd632a, 0x9ac27e38d26dcc5c}},
};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

static SceneDef *read_drill(const Drill *drill) {
  FileSet files = {0};
  char text[2048];
  files_put(&files, "boxes.yaml", BOXES, sizeof BOXES - 1);
  files_put(&files, "nod.yaml", NOD, sizeof NOD - 1);
  snprintf(text, sizeof text, "seed: 3\nduration: %g\n%s\ncharacters: %s\n", drill->seconds, drill->world,
           drill->characters);
  return shipped_def(drill->name, text, &files);
}

// FNV-1a of what is not the version.
static void add_bytes(uint64_t *digest, const char *bytes, size_t size) {
  static const char version[] = "Stagger " STAGGER_VERSION;
  for (size_t i = 0; i < size; i++)
    if (size - i >= sizeof version - 1 && memcmp(bytes + i, version, sizeof version - 1) == 0)
      i += sizeof version - 2;
    else
      *digest = (*digest ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
}

static void add_file(uint64_t *digest, FILE *file) {
  static char bytes[1 << 20];
  rewind(file);
  add_bytes(digest, bytes, fread(bytes, 1, sizeof bytes, file));
  fclose(file);
}

// One export, or what is said against it.
static void add_export(uint64_t *digest, const ExportFormat *format, const RecordedRun *run,
                       const ExportOptions *options) {
  ExportResult result = {0};
  Error error = {0};
  if (format->make(run->reader, run->def, options, &result, &error)) {
    add_bytes(digest, result.bytes, result.bytes ? result.size : 0);
    if (result.file)
      add_file(digest, result.file);
  }
  const char *moments = strstr(result.round_trip, " at "); // how near assimp's reader comes is its own affair
  const char *const texts[] = {result.contents, moments ? moments : "", error.text};
  for (int i = 0; i < 3; i++)
    add_bytes(digest, texts[i], strlen(texts[i]));
  free(result.bytes);
}

static uint64_t digest_of(int number, const RecordedRun *run) {
  static const char *const tables[] = {"parts", "character", "contacts", "events", "feet", "hits", "joints"};
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  const bool is_table = number == export_format_count;
  const ExportFormat *format = &export_formats[is_table ? 2 : number];
  for (int who = -1; who < run->def->character_count; who++)
    for (int pose = who < 0 ? 2 : 0; pose < TRACE_POSE_COUNT; pose++)
      for (size_t i = 0; i < (is_table ? sizeof tables / sizeof *tables : 1); i++) {
        const ExportOptions options = {.character = who < 0 ? NULL : run->def->characters[who].name,
                                       .pose = (TracePose)pose,
                                       .table = is_table ? tables[i] : NULL};
        add_export(&digest, format, run, &options);
      }
  return digest;
}

static bool is_as_kept(const Drill *drill) {
  RecordedRun run;
  bool same = true;
  uint64_t digests[10];
  recorded_run_of(&run, read_drill(drill));
  assert_int_equal(export_format_count, 9);
  for (int i = 0; i < 10; i++) {
    digests[i] = digest_of(i, &run);
    if (digests[i] != drill->digests[i])
      printf("%s: %s is another\n", drill->name, i < 9 ? export_formats[i].name : "one of the tables");
    same = same && digests[i] == drill->digests[i];
  }
  for (int i = 0; i < 10 && !same; i++)
    printf("%s0x%016llx%s", i == 0 ? "{" : "", (unsigned long long)digests[i], i < 9 ? ", " : "}\n");
  recorded_run_end(&run);
  return same;
}

static void drills_come_to(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < DRILL_COUNT; i++)
    wrong += !is_as_kept(&DRILLS[i]);
  assert_int_equal(wrong, 0);
}

// Between two frames a body is on its way, before the first it is there, and after the last it stays there.
static void places_are_between_frames(void **state) {
  (void)state;
  RecordedRun run;
  Error error = {0};
  recorded_run_of(&run, read_drill(&DRILLS[0]));
  TraceMotion *motion = trace_motion_read(run.reader, run.def, "limp", TRACE_POSE_MEASURED, &error);
  assert_non_null(motion);
  const int last = motion->frame_count - 1;
  const double begin = motion->time[0], dt = motion->time[1] - begin;
  const struct {
    double time; // s after the first frame
    int frame;
    float share;
  } cases[] = {{-1, 0, 0},
               {0, 0, 0},
               {0.25 * dt, 0, 0.25f},
               {3.5 * dt, 3, 0.5f},
               {(last - 0.5) * dt, last - 1, 0.5f},
               {last * dt, last - 1, 1},
               {(last + 0.4) * dt, last - 1, 1},
               {99, last - 1, 1}};
  int frame = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Pose from, to;
    ModelPose model, wanted;
    round_trip_place(motion, cases[i].time, &frame, &model);
    assert_int_equal(frame, cases[i].frame);
    trace_motion_pose(motion, frame, &from);
    trace_motion_pose(motion, frame + 1, &to);
    pose_blend(&from, &to, cases[i].share, NULL, &from);
    pose_to_model(&motion->body->skeleton, &from, &wanted);
    for (int j = 0; j < model.count; j++) {
      assert_near((double)glms_vec3_distance(model.position[j], wanted.position[j]), 0, 1e-6);
      assert_near((double)quat_angle_between(model.rotation[j], wanted.rotation[j]), 0, 1e-3);
    }
  }
  trace_motion_free(motion);
  recorded_run_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drills_come_to),
      cmocka_unit_test(places_are_between_frames),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
