// The files that a scene names; bodies and clips are read once and shared.
#ifndef STAGGER_SCENES_DESCRIPTION_SCENE_ASSETS_H
#define STAGGER_SCENES_DESCRIPTION_SCENE_ASSETS_H

#include "anim/retarget/clip_import.h"
#include "scenes/description/scene_def.h"

// Reads the file that a node names into the scene's file set. NULL and an error at the node when that is not possible.
const File *scene_file(SceneDef *def, const Node *node, Error *error);

// The body or clip whose file the node names. NULL and an error: at the node when there is no such file (with a similar
// name), in the file itself when it is unusable. They belong to def.
const BodyDef *scene_body(SceneDef *def, const Node *node, Error *error);
const Clip *scene_clip(SceneDef *def, const Node *node, const Skeleton *skeleton, Error *error);

// The ranges of a body's joints, to which recorded motion is limited.
RetargetLimits scene_limits(const BodyDef *body);

// The same for an animation graph; its clips are looked up as those of scenes are.
const GraphDef *scene_graph(SceneDef *def, const Node *node, const Skeleton *skeleton, Error *error);

// The same for a planner with its clips, and for a policy (what a planner has learnt).
const PlannerDef *scene_planner(SceneDef *def, const Node *node, const Skeleton *skeleton, Error *error);
const Policy *scene_policy(SceneDef *def, const Node *node, const PlannerDef *planner, Error *error);

// The skill whose file the node names, for a body of the scene. It belongs to def. NULL and an error: as for clips; the
// skill is for another body; its network is missing or has other inputs and actions than the description.
const SkillDef *scene_skill(SceneDef *def, const Node *node, const BodyDef *body, Error *error);

void scene_asset_free(const SceneAsset *asset);

#endif
