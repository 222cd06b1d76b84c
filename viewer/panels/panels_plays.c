// What leads the followed character at the shown moment: its skill, and the nodes and states of its graph with their
// weights.
#include <stdio.h>

#include "viewer/panels/panels.h"

static const float SMALLEST_SHARE = 0.005f; // of the pose: least weight of a listed node

static void list_nodes(App *app, const Source *source, int channel) {
  const FrameChannel *tracks = frames_channel(source->frames, channel);
  float weights[GRAPH_MAX_TRACKS];
  Error error = {0};
  int frame = frames_near(source->frames, app_time(app, source));
  if (tracks->rows > GRAPH_MAX_TRACKS || !frames_read(source->frames, channel, frame, weights, &error))
    return;
  for (int i = 0; i < tracks->rows; i++)
    if (weights[i] > SMALLEST_SHARE)
      gui_text("%3.0f %%  %s", (double)(100 * weights[i]), tracks->names ? tracks->names[i] : "");
}

void panel_plays(App *app) {
  const Source *source = app->sources[0];
  if (app->subject >= source->def->character_count)
    return;
  char path[160];
  snprintf(path, sizeof path, "/characters/%s/graph/weight", source->def->characters[app->subject].name);
  int channel = frames_find(source->frames, path);
  const char *skill = source_skill(source, app->subject, app_time(app, source));
  if ((channel < 0 && !skill) || !gui_header("Plays", true))
    return;
  if (skill)
    gui_text("skill %s", skill);
  if (channel >= 0)
    list_nodes(app, source, channel);
}
