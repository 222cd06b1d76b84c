// Skills of a character: which of them leads the body, its decisions, and the goals of the joints that follow from
// them.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_SKILL_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_SKILL_H

#include "ragdoll/character/character.h"

// Whether a skill leads the body.
bool character_has_skill(const Character *character);

// Index of the skill for a clip among those of a description; -1: it has none.
int character_skill_index(const CharacterDef *def, const Clip *clip);

// The skill whose clip plays at present, and which is to lead from the next step on. NULL: there is none.
const SkillDef *character_skill_of_clip(const Character *character);

// Finds the skill that leads in the coming step: the one whose clip plays. If a decision will be made of what is to be
// seen now, at once or after the skill's delay, measures it. Call before the step's target is made; a second call
// changes nothing.
void character_skill_look(Character *character);

// What the decision that is due is made of, after character_skill_look. [input_count] A skill must lead.
const float *character_skill_inputs(const Character *character);

// What is seen now, however late the skill itself sees it. [input_count] A skill must lead.
void character_skill_measure(Character *character, float inputs[]);

// Makes the decision that is due, by the outputs of the network, or by outputs that were given to
// character_skill_decide; and advances the time to the next one.
void character_skill_step(Character *character);

// Gives the outputs of the decision that is due, as a network would have made them: for training. [action_count]
void character_skill_decide(Character *character, const float outputs[]);

// Goals that follow the target, turned by the skill, in a step of length h, s.
void character_skill_goals(Character *character, double h);

// Factor of the animation's pace; 1 without a skill.
double character_skill_pace(const Character *character);

void character_skill_state(Character *character, StateStream *stream);

#endif
