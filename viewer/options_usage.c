// The table of the options of stagger-view, from which its help, their reading, completion and the manual page are
// made.
#include "viewer/options.h"
#include "viewer/options_internal.h"

#define CODE(option) (FIRST_OPTION + OPTION_##option)

static const UsageOption OPTIONS[] = {
    {.doc = "What is shown"},
    {.name = "size",
     .code = CODE(SIZE),
     .value = "WxH",
     .doc = "size of window, picture, film or whole sheet in pixels (1280x720)"},
    {.name = "camera",
     .code = CODE(CAMERA),
     .value = "NAME",
     .kind = "side|front|back|top|chase|orbit|first_person",
     .doc =
         "side, front, back, top, chase: follow the character; orbit: does not move; first_person: view from its eyes; "
         "or a camera of the scene (the first of the scene, else side)"},
    {.name = "follow",
     .code = CODE(FOLLOW),
     .value = "NAME",
     .doc = "the character that camera and caption follow (the first)"},
    {.name = "hide",
     .code = CODE(HIDE),
     .value = "LAYER,...",
     .doc =
         "hides layers: output, target, measured, hits, assist, skeleton, balance, contacts, feet, ik, look, path, "
         "poke, labels, names (of characters), skin; debug means all from hits to poke. feet, ik, look and path need a "
         "scene: a trace does not "
         "contain the state of layers"},
    {.name = "show",
     .code = CODE(SHOW),
     .value = "LAYER,...",
     .doc = "shows layers (output, target, measured, hits, assist, poke, labels, names)"},
    {.name = "color",
     .code = CODE(COLOR),
     .value = "WHAT",
     .kind = "blend|torque|strength|error|none",
     .doc = "colours of the body: blend, torque, strength, error or none (blend)"},
    {.name = "skin",
     .code = CODE(SKIN),
     .value = "RIG",
     .doc = "draws the meshes of a rig (.glb, .gltf, .fbx, .dae) on the bodies that it fits, in place of their shapes "
            "(--hide skin)"},
    {.name = "layout",
     .code = CODE(LAYOUT),
     .value = "WHAT",
     .kind = "side|overlay",
     .doc = "layout of several traces: side (side by side) or overlay (side)"},
    {.name = "set",
     .code = CODE(SET),
     .value = "KEY=VALUE",
     .doc = "overrides a parameter of the scene, e.g. world.dt=1/480; may be given several times"},
    {.doc = "Window"},
    {.name = "trace", .code = CODE(TRACE), .value = "FILE.h5", .doc = "records the run"},
    {.name = "paused", .code = CODE(PAUSED), .doc = "begins paused"},
    {.name = "scale",
     .code = CODE(SCALE),
     .value = "X",
     .doc = "draws so many pixels for each of the window, 0.25 to 1, and enlarges them: 0.5 is blurred, and faster on "
            "OpenGL in software (1)"},
    {.doc = "Pictures and films"},
    {.name = "offscreen", .code = CODE(OFFSCREEN), .doc = "draws without a display"},
    {.name = "png",
     .code = CODE(PNG),
     .value = "FILE",
     .doc =
         "one picture; a name like hit_%04d.png (%d or %0Nd, %% for a percent sign) makes one for every frame. Only an "
         "older PNG file is replaced"},
    {.name = "film",
     .code = CODE(FILM),
     .value = "FILE",
     .doc = ".mp4, .mkv, .webm or .gif, made with the program ffmpeg. Only an older film is replaced"},
    {.name = "from",
     .code = CODE(FROM),
     .value = "S",
     .doc = "time of the picture, or start of a sheet, sequence or film, s (0)"},
    {.name = "to", .code = CODE(TO), .value = "S", .doc = "end of a sheet, sequence or film, s (the end of the run)"},
    {.name = "fps", .code = CODE(FPS), .value = "N", .doc = "frames per second of a film or sequence (60; GIF: 25)"},
    {.name = "pace",
     .code = CODE(PACE),
     .value = "X",
     .doc = "simulated seconds per second of a film or sequence: 0.25 is slow motion (1)"},
    {.name = "moments",
     .code = CODE(MOMENTS),
     .value = "S,S,...",
     .doc = "one picture of several times side by side, with a row for each trace"},
    {.name = "sheet",
     .code = CODE(SHEET),
     .value = "COLSxROWS",
     .doc = "one picture of times evenly spaced from --from to --to, row by row"},
    {.doc = "The program"},
    {.name = "completion",
     .code = CODE(COMPLETION),
     .value = "bash|zsh",
     .doc = "prints a script by which that shell completes its options"},
    {.name = "man", .code = CODE(MAN), .doc = "prints its manual page, as roff"},
    {.name = "help", .code = CODE(HELP), .doc = "this text"},
    {.name = "version", .code = CODE(VERSION), .doc = "prints the version"},
};

const Usage options_usage = {
    .name = "stagger-view",
    .summary = "shows scenes and traces in a window, or draws pictures and films of them",
    .forms = {"[SCENE.yaml | TRACE.h5]... [options]", "SCENE.yaml|TRACE.h5... --offscreen --png FILE [options]",
              "SCENE.yaml|TRACE.h5... --offscreen --film FILE [options]"},
    .argument = "SCENE|TRACE.h5",
    .text =
        "Opens a window that runs a scene or shows a trace; without either it offers the list of scenes.\n"
        "Motion files (BVH, FBX, glTF, Collada) and clips are played beside the human body that follows the motion.\n"
        "With --offscreen it draws pictures and films of a scene or a trace without a display.\n"
        "Up to 4 traces are shown side by side or over each other, at the same time.",
    USAGE_OPTIONS(OPTIONS),
    .notes = "exit status: 0 done, 2 bad usage or input, or no OpenGL 3.3 or ffmpeg, 3 the simulation stopped or a "
             "file could\n"
             "not be written, 130 interrupted. Films are written completely or not at all; of a sequence the pictures\n"
             "drawn so far are kept.",
    .examples =
        {"stagger-view hit_run.yaml --set characters.runner.drive.strength=0.5",
         "stagger-view hit_run.h5 --offscreen --png hit.png --size 1600x520 --moments 5.0,5.05,5.2,6.0",
         "stagger-view hit_run.h5 --offscreen --film hit.mp4 --from 4.5 --to 7 --pace 0.25 --camera runner_left",
         "stagger-view weak.h5 strong.h5 --offscreen --png 'both_%04d.png' --layout overlay --fps 30"},
};

static const Usage *const USAGES[] = {&options_usage};

const UsageProgram options_program = {
    .name = "stagger-view",
    .summary = "shows scenes and traces of Stagger in a window, or draws pictures and films of them",
    .commands = USAGES,
    .command_count = 1,
};
