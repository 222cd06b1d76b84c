// The GLSL sources of all programs.
#include "viewer/draw/shaders.h"

const char SHADER_VERSION[] = "#version 330 core\n";

// screen: coordinates in -1 .. 1
const char SHADER_SCREEN_VERTEX[] = "out vec2 screen;\n"
                                    "void main() {\n"
                                    "  screen = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
                                    "  gl_Position = vec4(screen, 1.0, 1.0);\n"
                                    "}\n";

// A unit sphere whose eight octants are moved apart; `corner` is the octant's sign. The other attributes are those of
// the shape.
const char SHADER_SHAPE_VERTEX[] =
    "layout(location = 0) in vec3 direction;\n"
    "layout(location = 1) in vec3 corner;\n"
    "layout(location = 2) in vec4 position_taper;\n"
    "layout(location = 3) in vec4 rotation;\n"
    "layout(location = 4) in vec4 half_size;\n"
    "layout(location = 5) in vec4 radius;\n"
    "layout(location = 6) in vec4 color;\n"
    "uniform mat4 view_projection;\n"
    "out vec3 world, normal;\n"
    "flat out vec4 tint;\n"
    "vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }\n"
    "void main() {\n"
    "  vec3 p = corner * (half_size.xyz - radius.xyz) + direction * radius.xyz;\n"
    "  vec3 n = direction / radius.xyz;\n"
    "  float taper = position_taper.w;\n"
    "  p.xz *= mix(1.0, taper, 0.5 + 0.5 * p.y / half_size.y);\n"
    "  n.y += (1.0 - taper) * length(n.xz) * 0.5 * half_size.x / half_size.y;\n"
    "  world = position_taper.xyz + rotate(rotation, p);\n"
    "  normal = rotate(rotation, normalize(n));\n"
    "  tint = color;\n"
    "  gl_Position = view_projection * vec4(world, 1.0);\n"
    "}\n";

const char SHADER_SKIN_VERTEX[] = "layout(location = 0) in vec3 point;\n"
                                  "layout(location = 1) in vec3 direction;\n"
                                  "layout(location = 2) in vec3 color;\n"
                                  "uniform mat4 view_projection;\n"
                                  "out vec3 world, normal;\n"
                                  "flat out vec4 tint;\n"
                                  "void main() {\n"
                                  "  world = point;\n"
                                  "  normal = direction / max(length(direction), 1e-12);\n"
                                  "  tint = vec4(color, 1.0);\n"
                                  "  gl_Position = view_projection * vec4(point, 1.0);\n"
                                  "}\n";

// The rectangle of the ground that a capsule darkens. area: middle in x and z, half side, weakest shade.
const char SHADER_CONTACT_VERTEX[] = "layout(location = 0) in vec4 a_radius;\n"
                                     "layout(location = 1) in vec4 b_reach;\n"
                                     "layout(location = 2) in vec4 plane;\n"
                                     "uniform vec4 area;\n"
                                     "out vec2 ground;\n"
                                     "flat out vec4 a, b, floor_plane;\n"
                                     "void main() {\n"
                                     "  vec2 low = min(a_radius.xz, b_reach.xz) - b_reach.w;\n"
                                     "  vec2 high = max(a_radius.xz, b_reach.xz) + b_reach.w;\n"
                                     "  ground = mix(low, high, vec2(gl_VertexID & 1, gl_VertexID >> 1));\n"
                                     "  a = a_radius;\n"
                                     "  b = b_reach;\n"
                                     "  floor_plane = plane;\n"
                                     "  gl_Position = vec4((ground - area.xy) / area.z, 0.0, 1.0);\n"
                                     "}\n";

const char SHADER_TERRAIN_VERTEX[] = "layout(location = 0) in vec3 point;\n"
                                     "uniform mat4 view_projection;\n"
                                     "out vec3 world;\n"
                                     "void main() {\n"
                                     "  world = point;\n"
                                     "  gl_Position = view_projection * vec4(point, 1.0);\n"
                                     "}\n";

const char SHADER_FLAT_VERTEX[] =
    "layout(location = 0) in vec2 pixel;\n"
    "layout(location = 1) in vec4 color;\n"
    "uniform vec2 size;\n"
    "out vec4 tint;\n"
    "void main() {\n"
    "  tint = color;\n"
    "  gl_Position = vec4(2.0 * pixel.x / size.x - 1.0, 1.0 - 2.0 * pixel.y / size.y, 0.0, 1.0);\n"
    "}\n";

// Light is linear; `encode` converts to sRGB. The shadow's border is the mean of shadow_taps x shadow_taps bilinear
// comparisons. Outside shadow_rect (on the map) nothing casts a shadow, and the loop has no iterations: that is the
// only way in which software drivers, too, skip the comparisons.
const char SHADER_LIGHT[] =
    "uniform vec3 eye, to_sun;\n"
    "uniform mat4 light_view_projection;\n"
    "uniform sampler2DShadow shadow_map;\n"
    "uniform int shadow_taps;\n"
    "uniform vec4 shadow_rect;\n"
    "uniform float shadow_step, shadow_offset, fog_range;\n"
    "const vec3 SUN = vec3(1.00, 0.92, 0.80) * 1.55;\n"
    "const vec3 HORIZON = vec3(0.70, 0.80, 0.88), ZENITH = vec3(0.22, 0.42, 0.70);\n"
    "vec3 linear(vec3 srgb) { return pow(srgb, vec3(2.2)); }\n"
    "vec3 encode(vec3 light) {\n"
    "  vec3 x = light * 0.9;\n" // filmic shoulder: Narkowicz (2015), ACES fit
    "  x = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);\n"
    "  vec3 root = sqrt(x);\n" // x^(1 / 2.2) within half a level of 255; powers are slow on software OpenGL
    "  return 1.0049 * root + 0.0713 * sqrt(root) - 0.0780 * x;\n"
    "}\n"
    "vec3 sky(vec3 ray) {\n"
    "  float up = clamp(ray.y, 0.0, 1.0);\n"
    "  vec3 color = mix(HORIZON, ZENITH, 1.0 - pow(1.0 - up, 3.0));\n"
    "  return color + 0.12 * pow(max(dot(ray, to_sun), 0.0), 24.0) * SUN;\n"
    "}\n"
    "float sunlight(vec3 point, vec3 n) {\n"
    "  vec4 q = light_view_projection * vec4(point + shadow_offset * n, 1.0);\n"
    "  vec3 uv = 0.5 + 0.5 * q.xyz;\n"
    "  vec4 inside = vec4(uv.xy - shadow_rect.xy, shadow_rect.zw - uv.xy);\n"
    "  int taps = min(min(inside.x, inside.y), min(inside.z, inside.w)) > 0.0 && uv.z < 0.995 ? shadow_taps : 0;\n"
    "  float first = -0.5 * float(shadow_taps - 1), lit = 0.0;\n"
    "  for (int i = 0; i < taps; i++)\n"
    "    for (int k = 0; k < taps; k++)\n"
    "      lit += textureLod(shadow_map, uv + vec3((first + vec2(i, k)) * shadow_step, 0.0), 0.0);\n"
    "  return taps > 0 ? lit / float(taps * taps) : 1.0;\n"
    "}\n"
    "vec3 fog(vec3 color, vec3 point) {\n"
    "  vec3 way = point - eye;\n"
    "  float far = length(way);\n"
    "  float amount = 1.0 - exp(-pow(far / fog_range, 2.0));\n"
    "  return mix(color, HORIZON, amount);\n"
    "}\n"
    "vec3 ambient(vec3 n) { return mix(vec3(0.22, 0.21, 0.20), vec3(0.46, 0.54, 0.64), 0.5 + 0.5 * n.y); }\n";

const char SHADER_SKY_FRAGMENT[] = "in vec2 screen;\n"
                                   "uniform mat4 from_clip;\n"
                                   "out vec4 color;\n"
                                   "void main() {\n"
                                   "  vec4 far = from_clip * vec4(screen, 1.0, 1.0);\n"
                                   "  color = vec4(encode(sky(normalize(far.xyz / far.w - eye))), 1.0);\n"
                                   "}\n";

const char SHADER_SOLID_FRAGMENT[] =
    "in vec3 world, normal;\n"
    "flat in vec4 tint;\n"
    "uniform float glow, opacity;\n" // glow: 0 lit surface, 1 its plain colour
    "out vec4 color;\n"
    "void main() {\n"
    "  vec3 n = normalize(normal), to_eye = normalize(eye - world);\n"
    "  vec3 base = linear(tint.rgb);\n"
    "  float sun = max(dot(n, to_sun), 0.0) * sunlight(world, n);\n"
    "  float shine = pow(max(dot(n, normalize(to_sun + to_eye)), 0.0), 40.0) * sun;\n"
    "  float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 4.0);\n"
    "  vec3 light = base * (ambient(n) + sun * SUN) + 0.10 * shine * SUN + 0.16 * rim * ambient(n);\n"
    "  color = vec4(encode(fog(mix(light, base * 1.6, glow), world)), tint.a * opacity);\n"
    "}\n";

// Denser toward the rim, like glass. Colours are premultiplied by opacity.
const char SHADER_GHOST_FRAGMENT[] = "in vec3 world, normal;\n"
                                     "flat in vec4 tint;\n"
                                     "out vec4 color;\n"
                                     "void main() {\n"
                                     "  vec3 n = normalize(normal), to_eye = normalize(eye - world);\n"
                                     "  float rim = pow(1.0 - abs(dot(n, to_eye)), 1.5);\n"
                                     "  float shade = 0.80 + 0.20 * dot(n, to_sun);\n"
                                     "  float opacity = tint.a * mix(0.50, 0.95, rim);\n"
                                     "  color = vec4(tint.rgb * shade * opacity, opacity);\n"
                                     "}\n";

// The ground: lines every metre, stronger every five; darker where it is steep and near a shape.
const char SHADER_TERRAIN_FRAGMENT[] =
    "in vec3 world;\n"
    "uniform sampler2D contact_map;\n"
    "uniform vec3 contact_area;\n" // middle in x and z, half side
    "out vec4 color;\n"
    "float grid(vec2 at, float period, float width) {\n"
    "  vec2 u = at / period, wide = fwidth(u);\n"
    "  vec2 near = abs(fract(u - 0.5) - 0.5);\n"
    "  vec2 half_line = max(vec2(0.5 * width / period), 0.5 * wide);\n"
    "  vec2 line = 1.0 - smoothstep(half_line - 0.5 * wide, half_line + wide, near);\n"
    "  line *= min(vec2(1.0), (width / period) / wide + 0.12);\n" // thin lines fade with distance
    "  return max(line.x, line.y);\n"
    "}\n"
    "void main() {\n"
    "  vec3 n = normalize(cross(dFdx(world), dFdy(world)));\n"
    "  if (dot(n, eye - world) < 0.0) n = -n;\n" // the side that is seen: a level has ceilings, too
    "  float steep = clamp((1.0 - n.y) * 6.0, 0.0, 1.0);\n"
    "  vec3 base = mix(linear(vec3(0.45, 0.51, 0.50)), linear(vec3(0.46, 0.40, 0.34)), steep);\n"
    "  vec2 tile = floor(world.xz);\n"
    "  base *= 0.97 + 0.06 * mod(tile.x + tile.y, 2.0);\n"
    "  base = mix(base, linear(vec3(0.62, 0.68, 0.67)), 0.45 * grid(world.xz, 1.0, 0.014));\n"
    "  base = mix(base, linear(vec3(0.74, 0.80, 0.79)), 0.60 * grid(world.xz, 5.0, 0.024));\n"
    "  float sun = max(dot(n, to_sun), 0.0) * sunlight(world, n);\n"
    "  float open = textureLod(contact_map, 0.5 + 0.5 * (world.xz - contact_area.xy) / contact_area.z, 0.0).r;\n"
    "  open = mix(1.0, open, smoothstep(0.2, 0.6, n.y));\n" // not walls and ceilings of a level
    "  vec3 light = base * (ambient(n) * open + sun * SUN * (0.5 + 0.5 * open));\n"
    "  color = vec4(encode(fog(light, world)), 1.0);\n"
    "}\n";

// Occlusion by a sphere: Quilez (2013), "Sphere ambient occlusion"; here by the nearest sphere of a capsule.
const char SHADER_CONTACT_FRAGMENT[] =
    "in vec2 ground;\n"
    "flat in vec4 a, b, floor_plane;\n"
    "uniform vec4 area;\n"
    "out float open;\n"
    "void main() {\n"
    "  vec3 n = floor_plane.xyz;\n"
    "  vec3 point = vec3(ground.x, (floor_plane.w - n.x * ground.x - n.z * ground.y) / n.y, ground.y);\n"
    "  vec3 along = b.xyz - a.xyz;\n"
    "  float t = clamp(dot(point - a.xyz, along) / max(dot(along, along), 1e-9), 0.0, 1.0);\n"
    "  vec3 way = a.xyz + t * along - point;\n"
    "  float square = dot(way, way);\n"
    "  float hidden = 0.75 * max(dot(n, way), 0.0) * inversesqrt(square) * min(a.w * a.w / square, 1.0);\n"
    "  open = 1.0 - max(hidden - area.w, 0.0);\n"
    "}\n";

const char SHADER_DEPTH_FRAGMENT[] = "void main() {}\n";

const char SHADER_COPY_FRAGMENT[] = "uniform sampler2D source;\n"
                                    "out vec4 color;\n"
                                    "void main() { color = texelFetch(source, ivec2(gl_FragCoord.xy), 0); }\n";

const char SHADER_FLAT_FRAGMENT[] = "in vec4 tint;\n"
                                    "out vec4 color;\n"
                                    "void main() { color = tint; }\n";
