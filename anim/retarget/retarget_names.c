// Reads the meaning of joint names in the spellings of common rigs: CMU, Mixamo, Biped, Unity, Unreal, Daz, SMPL,
// Rigify, robots ...
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "anim/retarget/retarget_internal.h"

enum { MAX_TOKENS = 24, TOKEN_SIZE = 32 };

typedef struct Tokens {
  char text[MAX_TOKENS][TOKEN_SIZE]; // lower case
  int count;
} Tokens;

static const struct {
  const char *word;
  Role role;
  int rank;
} words[] = {
    {"pelvis", ROLE_PELVIS, 0},       {"hips", ROLE_PELVIS, 0},     {"hip", ROLE_PELVIS, 1},
    {"abdomen", ROLE_SPINE, 0},       {"spine", ROLE_SPINE, 0},     {"lowerback", ROLE_SPINE, 0},
    {"waist", ROLE_SPINE, 0},         {"stomach", ROLE_SPINE, 0},   {"chest", ROLE_CHEST, 0},
    {"torso", ROLE_CHEST, 0},         {"thorax", ROLE_CHEST, 0},    {"upperchest", ROLE_CHEST, 0},
    {"neck", ROLE_NECK, 0},           {"lowerneck", ROLE_NECK, 0},  {"head", ROLE_HEAD, 0},
    {"clavicle", ROLE_CLAVICLE, 0},   {"collar", ROLE_CLAVICLE, 0}, {"shoulder", ROLE_CLAVICLE, 1},
    {"upperarm", ROLE_UPPER_ARM, 0},  {"uparm", ROLE_UPPER_ARM, 0}, {"arm", ROLE_UPPER_ARM, 0},
    {"humerus", ROLE_UPPER_ARM, 0},   {"shldr", ROLE_UPPER_ARM, 0}, {"shldrbend", ROLE_UPPER_ARM, 0},
    {"shoulder", ROLE_UPPER_ARM, 1},  {"forearm", ROLE_FOREARM, 0}, {"lowerarm", ROLE_FOREARM, 0},
    {"loarm", ROLE_FOREARM, 0},       {"elbow", ROLE_FOREARM, 0},   {"radius", ROLE_FOREARM, 0},
    {"forearmbend", ROLE_FOREARM, 0}, {"hand", ROLE_HAND, 0},       {"wrist", ROLE_HAND, 0},
    {"palm", ROLE_HAND, 0},           {"fist", ROLE_HAND, 0},       {"thigh", ROLE_THIGH, 0},
    {"upleg", ROLE_THIGH, 0},         {"upperleg", ROLE_THIGH, 0},  {"femur", ROLE_THIGH, 0},
    {"thighbend", ROLE_THIGH, 0},     {"hip", ROLE_THIGH, 1},       {"shin", ROLE_SHIN, 0},
    {"calf", ROLE_SHIN, 0},           {"lowerleg", ROLE_SHIN, 0},   {"loleg", ROLE_SHIN, 0},
    {"knee", ROLE_SHIN, 0},           {"tibia", ROLE_SHIN, 0},      {"leg", ROLE_SHIN, 1},
    {"foot", ROLE_FOOT, 0},           {"ankle", ROLE_FOOT, 0},      {"toe", ROLE_TOES, 0},
    {"toes", ROLE_TOES, 0},           {"toebase", ROLE_TOES, 0},    {"ball", ROLE_TOES, 0},
    {"trunk", ROLE_SPINE, 0},         {"utorso", ROLE_CHEST, 0},    {"uarm", ROLE_UPPER_ARM, 0},
    {"larm", ROLE_FOREARM, 0},        {"farm", ROLE_FOREARM, 0},    {"uleg", ROLE_THIGH, 0},
    {"shank", ROLE_SHIN, 0},          {"lleg", ROLE_SHIN, 0},       {"ank", ROLE_FOOT, 0},
    {"lowarm", ROLE_FOREARM, 0},      {"lowleg", ROLE_SHIN, 0},
};

// Words without meaning here: names of programs and rigs, and words for joints as such.
static const char *const noise[] = {"joint", "bone", "jnt", "bip",  "mixamorig", "valvebiped", "j",        "b",
                                    "c",     "def",  "org", "bind", "skeleton",  "armature",   "character"};

static bool is_one_of(const char *word, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(word, list[i]) == 0)
      return true;
  return false;
}

static void add_token(Tokens *tokens, const char *text, size_t length) {
  if (length == 0 || tokens->count == MAX_TOKENS)
    return;
  char *token = tokens->text[tokens->count++];
  snprintf(token, TOKEN_SIZE, "%.*s", (int)length, text);
  for (char *c = token; *c; c++)
    *c = (char)tolower((unsigned char)*c);
}

// Splits a name at characters that are not letters, and where a new word begins: lHand, LHipJoint, upperArm.
static void cut_name(Tokens *tokens, const char *name) {
  tokens->count = 0;
  size_t start = 0, length = strlen(name);
  for (size_t i = 0; i <= length; i++) {
    unsigned char before = i > start ? (unsigned char)name[i - 1] : 0, here = (unsigned char)name[i];
    unsigned char after = i < length ? (unsigned char)name[i + 1] : 0;
    bool word_begins = before && isupper(here) && (islower(before) || islower(after));
    if (isalpha(here) && !word_begins)
      continue;
    add_token(tokens, name + start, i - start);
    start = isalpha(here) ? i : i + 1;
  }
}

static Side side_of(const char *token) {
  static const char *const left[] = {"left", "l"}, *const right[] = {"right", "r"};
  return is_one_of(token, left, 2) ? SIDE_LEFT : is_one_of(token, right, 2) ? SIDE_RIGHT : SIDE_NONE;
}

// The side is a word of its own, or the beginning of a word: lefthand, leftUpLeg.
static Side take_side(Tokens *tokens) {
  for (int i = 0; i < tokens->count; i++) {
    Side side = side_of(tokens->text[i]);
    if (side != SIDE_NONE) {
      tokens->text[i][0] = '\0';
      return side;
    }
    for (int s = SIDE_LEFT; s <= SIDE_RIGHT; s++) {
      const char *prefix = s == SIDE_LEFT ? "left" : "right";
      size_t length = strlen(prefix);
      if (strncmp(tokens->text[i], prefix, length) == 0) {
        memmove(tokens->text[i], tokens->text[i] + length, strlen(tokens->text[i] + length) + 1);
        return (Side)s;
      }
    }
  }
  return SIDE_NONE;
}

// The side as the first letter of a word that is nothing else: lfemur, rhand, as in recordings of CMU.
static Side take_letter(char *word) {
  const Side side = word[0] == 'l' ? SIDE_LEFT : word[0] == 'r' ? SIDE_RIGHT : SIDE_NONE;
  for (size_t i = 0; side != SIDE_NONE && i < sizeof words / sizeof words[0]; i++)
    if (words[i].role >= ROLE_CLAVICLE && strcmp(words[i].word, word + 1) == 0) {
      memmove(word, word + 1, strlen(word));
      return side;
    }
  return SIDE_NONE;
}

int joint_meanings(const char *name, JointMeaning *meanings, int most) {
  if (strstr(name, "_$AssimpFbx$_")) // a part of a joint's transformation, not a joint
    return 0;
  const char *space = strrchr(name, ':'); // mixamorig:Hips
  Tokens tokens;
  cut_name(&tokens, space ? space + 1 : name);
  Side side = take_side(&tokens);

  char word[MAX_TOKENS * TOKEN_SIZE] = "";
  size_t used = 0;
  for (int i = 0; i < tokens.count; i++)
    if (!is_one_of(tokens.text[i], noise, sizeof noise / sizeof noise[0]))
      used += (size_t)snprintf(word + used, sizeof word - used, "%s", tokens.text[i]);

  if (side == SIDE_NONE)
    side = take_letter(word);

  int count = 0;
  for (size_t i = 0; i < sizeof words / sizeof words[0] && count < most; i++) {
    bool sided = words[i].role >= ROLE_CLAVICLE;
    if (sided == (side != SIDE_NONE) && strcmp(words[i].word, word) == 0)
      meanings[count++] = (JointMeaning){.role = words[i].role, .side = side, .rank = words[i].rank};
  }
  return count;
}
