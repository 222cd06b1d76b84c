// Draws moments of a run as stick figures in SVG, side by side, with the ground and the impulse of a hit.
#include "scenes/report/figure_strip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/description/trace_motion.h"
#include "sim/terrain/terrain.h"

static const double PANEL = 150, TALLEST = 190; // px: width of a picture, most of its height above the ground
static const double ABOVE = 12, BELOW = 30;     // px around that
static const double ROOM = 0.1;                 // m around the figure

// Moments.

StripPlan strip_plan(const ReportRun *run) {
  // s after the hit. A body that falls takes longer than one that recovers.
  static const double steady[STRIP_MOMENTS] = {-0.1, 0, 0.06, 0.14, 0.26, 0.42, 0.65, 1};
  static const double falling[STRIP_MOMENTS] = {-0.1, 0, 0.1, 0.25, 0.5, 0.8, 1.2, 1.8};
  StripPlan plan = {.hit = report_run_worst_hit(run)};
  const double first = run->time[0], last = run->time[run->frame_count - 1];
  for (int i = 0; plan.hit && i < run->character_count; i++)
    if (strcmp(run->characters[i].def->name, plan.hit->character) == 0)
      plan.character = i;
  const bool falls = plan.hit && (strcmp(plan.hit->hit.strategy, "fall") == 0 || !run->hits_are_judged);
  for (int i = 0; i < STRIP_MOMENTS; i++) {
    const double even = first + (last - first) * i / (STRIP_MOMENTS - 1);
    const double time = !plan.hit ? even : plan.hit->hit.time + (falls ? falling[i] : steady[i]);
    plan.times[i] = fmin(fmax(time, first), last);
  }
  return plan;
}

static int nearest_frame(const ReportRun *run, double time) {
  int low = 0, high = run->frame_count - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (run->time[middle] < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && time - run->time[low - 1] < run->time[low] - time ? low - 1 : low;
}

// The view: along `depth`, with `across` to the right of the picture.
typedef struct View {
  vec3s across, depth;
  vec3s center;         // m, in the middle of the picture, at its ground
  double scale;         // px per m
  double offset, floor; // px: of the picture from the left, of its ground from the top
} View;

// From the right of a character, so that forward is to the right of the picture.
static View look_from_right(versors heading) {
  vec3s forward = glms_quat_rotatev(heading, (vec3s){{0, 0, 1}});
  forward.y = 0;
  if (glms_vec3_norm(forward) < 0.1f) // it lies: any side will do
    forward = (vec3s){{0, 0, 1}};
  forward = glms_vec3_normalize(forward);
  return (View){.across = forward, .depth = {{forward.z, 0, -forward.x}}};
}

typedef struct Point {
  double x, y; // px
} Point;

static Point project(const View *view, vec3s p) {
  const vec3s from = glms_vec3_sub(p, view->center);
  return (Point){view->offset + PANEL / 2 + view->scale * (double)glms_vec3_dot(from, view->across),
                 view->floor - view->scale * (double)from.y};
}

// Shapes.

static int compare_points(const void *a, const void *b) {
  const Point *p = a, *q = b;
  if (p->x != q->x)
    return p->x < q->x ? -1 : 1;
  return p->y < q->y ? -1 : p->y > q->y;
}

static double turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// The hull of 8 points in order around it (Andrew's monotone chain). Returns how many corners it has.
static int hull_of_box(Point points[8], Point hull[17]) {
  int count = 0;
  qsort(points, 8, sizeof points[0], compare_points);
  for (int pass = 0; pass < 2; pass++) {
    const int kept = count + 1;
    for (int i = 0; i < 8; i++) {
      const Point next = points[pass == 0 ? i : 7 - i];
      while (count > kept && turn(hull[count - 2], hull[count - 1], next) <= 0)
        count--;
      hull[count++] = next;
    }
    count--; // the last is the first of the other chain
  }
  return count;
}

static void draw_box(Html *html, const char *kind, const View *view, vec3s center, versors rotation,
                     const double size[3]) {
  Point points[8], hull[17];
  for (int i = 0; i < 8; i++) {
    const vec3s corner = {{(float)(size[0] * (i & 1 ? 0.5 : -0.5)), (float)(size[1] * (i & 2 ? 0.5 : -0.5)),
                           (float)(size[2] * (i & 4 ? 0.5 : -0.5))}};
    points[i] = project(view, glms_vec3_add(center, glms_quat_rotatev(rotation, corner)));
  }
  const int count = hull_of_box(points, hull);
  text_print(html, "<path class=\"%s\" d=\"", kind);
  for (int i = 0; i < count; i++)
    text_print(html, "%c%.1f %.1f", i == 0 ? 'M' : 'L', hull[i].x, hull[i].y);
  html_add(html, "Z\"/>");
}

// A thick line with round ends over a thicker one, its outline.
static void draw_capsule(Html *html, const char *kind, const View *view, vec3s center, versors rotation,
                         const ShapeDef *shape) {
  vec3s half = GLMS_VEC3_ZERO_INIT;
  half.raw[shape->axis] = (float)(0.5 * shape->size[1]);
  half = glms_quat_rotatev(rotation, half);
  const Point a = project(view, glms_vec3_sub(center, half)), b = project(view, glms_vec3_add(center, half));
  const double width = 2 * shape->size[0] * view->scale;
  for (int pass = 0; pass < 2; pass++)
    text_print(html, "<path class=\"%s %s\" style=\"stroke-width:%.1fpx\" d=\"M%.1f %.1fL%.1f %.1f\"/>",
               pass == 0 ? "outline" : "limb", kind, pass == 0 ? width + 1.6 : fmax(width - 0.4, 0.5), a.x, a.y,
               b.x + 0.01, b.y); // a line without length has no ends in some readers
}

static vec3s shape_center(const PartDef *part, int shape, vec3s position, versors rotation) {
  vec3s offset;
  for (int k = 0; k < 3; k++)
    offset.raw[k] = (float)(part->shapes[shape].center_m[k] - part->joint.position[k]);
  return glms_vec3_add(position, glms_quat_rotatev(rotation, offset));
}

static void draw_part(Html *html, const char *kind, const View *view, const PartDef *part, vec3s position,
                      versors rotation) {
  for (int s = 0; s < part->shape_count; s++) {
    const ShapeDef *shape = &part->shapes[s];
    const vec3s center = shape_center(part, s, position, rotation);
    const Point middle = project(view, center);
    const versors turn = shape->turned ? glms_quat_mul(rotation, shape_versor(shape)) : rotation;
    if (shape->kind == SHAPE_BOX)
      draw_box(html, kind, view, center, turn, shape->size);
    else if (shape->kind == SHAPE_CAPSULE)
      draw_capsule(html, kind, view, center, turn, shape);
    else
      text_print(html, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", kind, middle.x, middle.y,
                 shape->size[0] * view->scale);
  }
}

// A figure.

typedef struct Figure {
  const BodyDef *body;
  vec3s position[SKELETON_MAX_JOINTS], target[SKELETON_MAX_JOINTS];
  versors rotation[SKELETON_MAX_JOINTS];
} Figure;

// Far parts first.
static void sort_parts(const Figure *figure, const View *view, int order[BODY_MAX_PARTS]) {
  float depth[BODY_MAX_PARTS];
  for (int i = 0; i < figure->body->part_count; i++) {
    const PartDef *part = &figure->body->parts[i];
    vec3s offset;
    for (int k = 0; k < 3; k++)
      offset.raw[k] = (float)(part->com[k] - part->joint.position[k]);
    depth[i] =
        glms_vec3_dot(glms_vec3_add(figure->position[i], glms_quat_rotatev(figure->rotation[i], offset)), view->depth);
    int place = i;
    for (; place > 0 && depth[order[place - 1]] < depth[i]; place--)
      order[place] = order[place - 1];
    order[place] = i;
  }
}

static void draw_target(Html *html, const Figure *figure, const View *view) {
  html_add(html, "<path class=\"aim\" d=\"");
  for (int i = 1; i < figure->body->part_count; i++) {
    const Point a = project(view, figure->target[figure->body->parts[i].parent]);
    const Point b = project(view, figure->target[i]);
    text_print(html, "M%.1f %.1fL%.1f %.1f", a.x, a.y, b.x, b.y);
  }
  html_add(html, "\"/>");
}

static void draw_figure(Html *html, const Figure *figure, const View *view, const char *struck) {
  int order[BODY_MAX_PARTS];
  sort_parts(figure, view, order);
  for (int i = 0; i < figure->body->part_count; i++) {
    const PartDef *part = &figure->body->parts[order[i]];
    // Of twins the one behind is darker.
    const PartDef *twin = &figure->body->parts[part->twin];
    const bool behind = part != twin && part->com[0] > twin->com[0];
    const char *kind = strcmp(part->name, struck) == 0 ? "part struck" : behind ? "part far" : "part near";
    draw_part(html, kind, view, part, figure->position[order[i]], figure->rotation[order[i]]);
  }
  draw_target(html, figure, view);
}

static void draw_ground(Html *html, const View *view, const Terrain *terrain) {
  enum { SAMPLES = 16 };
  bool drawing = false;
  html_add(html, "<path class=\"ground\" d=\"");
  for (int i = 0; i <= SAMPLES; i++) {
    const double way = PANEL * ((double)i / SAMPLES - 0.5) / view->scale;
    vec3s p = glms_vec3_add(view->center, glms_vec3_scale(view->across, (float)way));
    double height;
    if (!terrain || !terrain_height_below(terrain, (double)p.x, (double)p.z, (double)p.y + 0.5, &height, NULL)) {
      drawing = false;
      continue;
    }
    p.y = (float)height;
    const Point at = project(view, p);
    text_print(html, "%c%.1f %.1f", drawing ? 'L' : 'M', at.x, at.y);
    drawing = true;
  }
  html_add(html, "\"/>");
}

// The arrow of the hit, in the picture of its moment.
static void draw_hit(Html *html, const ReportRun *run, const StripPlan *plan, const View *view) {
  for (int i = 0; i < run->event_count; i++) {
    const TraceEvent *event = &run->events[i];
    if (event->time < plan->hit->hit.time - 1e-9 || strcmp(event->character, plan->hit->character) != 0)
      continue;
    const vec3s way = glms_vec3_normalize((vec3s){{event->impulse[0], event->impulse[1], event->impulse[2]}});
    const vec3s point = {{event->point[0], event->point[1], event->point[2]}};
    const Point tip = project(view, point);
    const Point tail = project(view, glms_vec3_sub(point, glms_vec3_scale(way, 0.55f)));
    const double length = hypot(tip.x - tail.x, tip.y - tail.y);
    text_print(html, "<circle class=\"hit-point\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>", tip.x, tip.y);
    if (length < 6) // along the view
      return;
    const double x = (tip.x - tail.x) / length, y = (tip.y - tail.y) / length;
    text_print(html, "<path class=\"hit\" d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>", tail.x, tail.y,
               tip.x, tip.y, tip.x - 8 * x - 4 * y, tip.y - 8 * y + 4 * x, tip.x, tip.y, tip.x - 8 * x + 4 * y,
               tip.y - 8 * y - 4 * x);
    return;
  }
}

static void draw_caption(Html *html, const ReportRun *run, const StripPlan *plan, int frame, const View *view) {
  text_print(html, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.2f s", view->offset + PANEL / 2,
             view->floor + BELOW - 10, run->time[frame]);
  if (plan->hit)
    text_print(html, " (%+.2f)", run->time[frame] - plan->hit->hit.time);
  html_add(html, "</text>");
}

// The strip.

// Places the figures of all moments by the output pose, or their outlines by the target pose. The whole motion must be
// sound.
static bool place_figures(const ReportRun *run, const char *character, TracePose pose, const int frames[STRIP_MOMENTS],
                          Figure figures[STRIP_MOMENTS], Error *error) {
  TraceMotion *motion = trace_motion_open(run->reader, run->def, character, pose, error);
  bool good = motion != NULL;
  for (int first = 0; good && first < run->frame_count; first += motion->frame_count) {
    good = trace_motion_load(motion, first, TRACE_MOTION_PIECE, error);
    for (int m = 0; good && m < STRIP_MOMENTS; m++) {
      const int frame = frames[m] - first;
      if (frame < 0 || frame >= motion->frame_count)
        continue;
      figures[m].body = motion->body;
      if (pose == TRACE_POSE_OUTPUT)
        trace_motion_place(motion, frame, figures[m].position, figures[m].rotation);
      else
        trace_motion_place(motion, frame, figures[m].target, NULL);
    }
  }
  trace_motion_free(motion);
  return good;
}

// The size of a figure: its height above the ground, and its extent across the picture from its root, m.
typedef struct Extent {
  double ground; // height of the ground under the root
  double top, low, high;
} Extent;

// Half the length of a shape along a direction of length 1, m.
static double reach(const ShapeDef *shape, versors rotation, vec3s direction) {
  double half[3] = {0}, sum = shape->kind == SHAPE_BOX ? 0 : shape->size[0]; // the radius of the others
  for (int k = 0; k < 3 && shape->kind == SHAPE_BOX; k++)
    half[k] = 0.5 * shape->size[k];
  if (shape->kind == SHAPE_CAPSULE)
    half[shape->axis] = 0.5 * shape->size[1];
  if (shape->turned)
    rotation = glms_quat_mul(rotation, shape_versor(shape));
  for (int k = 0; k < 3; k++) {
    vec3s axis = GLMS_VEC3_ZERO_INIT;
    axis.raw[k] = 1;
    sum += half[k] * fabs((double)glms_vec3_dot(glms_quat_rotatev(rotation, axis), direction));
  }
  return sum;
}

static Extent measure(const Figure *figure, const Terrain *terrain, const View *view) {
  Extent extent = {.top = 0.5};
  const vec3s root = figure->position[0];
  if (terrain)
    terrain_height_below(terrain, (double)root.x, (double)root.z, (double)root.y, &extent.ground, NULL);
  for (int i = 0; i < figure->body->part_count; i++) {
    const PartDef *part = &figure->body->parts[i];
    for (int s = 0; s < part->shape_count; s++) {
      const vec3s center = shape_center(part, s, figure->position[i], figure->rotation[i]);
      const double way = (double)glms_vec3_dot(glms_vec3_sub(center, root), view->across);
      const double aside = reach(&part->shapes[s], figure->rotation[i], view->across);
      const double up = reach(&part->shapes[s], figure->rotation[i], (vec3s){{0, 1, 0}});
      extent.top = fmax(extent.top, (double)center.y + up - extent.ground);
      extent.low = fmin(extent.low, way - aside);
      extent.high = fmax(extent.high, way + aside);
    }
  }
  return extent;
}

// Puts the figure into the middle of its picture.
static void aim(View *view, const Figure *figure, const Extent *extent) {
  const float middle = (float)(0.5 * (extent->low + extent->high));
  view->center = glms_vec3_add(figure->position[0], glms_vec3_scale(view->across, middle));
  view->center.y = (float)extent->ground;
}

// All figures fit into their pictures in one scale.
static void find_scale(const Figure figures[STRIP_MOMENTS], const Terrain *terrain, View *view) {
  double top = 0, half_width = 0;
  for (int m = 0; m < STRIP_MOMENTS; m++) {
    const Extent extent = measure(&figures[m], terrain, view);
    top = fmax(top, extent.top);
    half_width = fmax(half_width, 0.5 * (extent.high - extent.low));
  }
  view->scale = fmin(TALLEST / (top + ROOM), PANEL / 2 / (half_width + ROOM));
  view->floor = ABOVE + view->scale * (top + ROOM);
}

static void draw_strip(Html *html, const ReportRun *run, const StripPlan *plan, const int frames[STRIP_MOMENTS],
                       const Figure figures[STRIP_MOMENTS], const Terrain *terrain) {
  View view = look_from_right(figures[plan->hit ? 1 : 0].rotation[0]);
  find_scale(figures, terrain, &view);
  text_print(html,
             "<svg class=\"figures\" viewBox=\"0 0 %g %g\" role=\"img\">"
             "<title>The run in %d moments</title>",
             PANEL * STRIP_MOMENTS, ceil(view.floor + BELOW), STRIP_MOMENTS);
  for (int m = 0; m < STRIP_MOMENTS; m++) {
    const Extent extent = measure(&figures[m], terrain, &view);
    aim(&view, &figures[m], &extent);
    view.offset = PANEL * m;
    draw_ground(html, &view, terrain);
    draw_figure(html, &figures[m], &view, plan->hit && m > 0 ? plan->hit->hit.part : "");
    if (plan->hit && m == 1)
      draw_hit(html, run, plan, &view);
    draw_caption(html, run, plan, frames[m], &view);
  }
  html_add(html, "</svg>\n");
}

bool figure_strip(Html *html, const ReportRun *run, const StripPlan *plan, Error *error) {
  const char *name = run->characters[plan->character].def->name;
  int frames[STRIP_MOMENTS];
  for (int m = 0; m < STRIP_MOMENTS; m++)
    frames[m] = nearest_frame(run, plan->times[m]);
  Figure *figures = calloc(STRIP_MOMENTS, sizeof *figures);
  const bool good = (figures || error_set(error, "out of memory")) &&
                    place_figures(run, name, TRACE_POSE_OUTPUT, frames, figures, error) &&
                    place_figures(run, name, TRACE_POSE_TARGET, frames, figures, error);
  if (good) {
    Terrain *terrain = terrain_create(&run->def->terrain, (uint64_t)run->def->run.seed, &run->def->files, NULL);
    draw_strip(html, run, plan, frames, figures, terrain);
    terrain_destroy(terrain);
  }
  free(figures);
  return good;
}
