#include "viewer/shaders.h"

const char SHADER_VERSION[] = "#version 330 core\n";

// screen: -1 .. 1
const char SHADER_SCREEN_VERTEX[] = "out vec2 screen;\n"
                                    "void main() {\n"
                                    "  screen = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
                                    "  gl_Position = vec4(screen, 1.0, 1.0);\n"
                                    "}\n";

// A unit sphere whose eight octants are pushed apart: `corner` is the octant's sign.
const char SHADER_SHAPE_VERTEX[] =
    "layout(location = 0) in vec3 direction;\n"
    "layout(location = 1) in vec3 corner;\n"
    "uniform mat4 view_projection;\n"
    "uniform vec3 position, half_size, radius;\n"
    "uniform vec4 rotation;\n"
    "uniform float taper;\n"
    "out vec3 world, normal;\n"
    "vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }\n"
    "void main() {\n"
    "  vec3 p = corner * (half_size - radius) + direction * radius;\n"
    "  vec3 n = direction / radius;\n"
    "  float width = mix(1.0, taper, 0.5 + 0.5 * p.y / half_size.y);\n"
    "  p.xz *= width;\n"
    "  n.y += (1.0 - taper) * length(n.xz) * 0.5 * half_size.x / half_size.y;\n"
    "  world = position + rotate(rotation, p);\n"
    "  normal = rotate(rotation, normalize(n));\n"
    "  gl_Position = view_projection * vec4(world, 1.0);\n"
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

// Light is linear; `encode` makes sRGB of it. The shadow's border is the mean of 5 x 5 bilinear comparisons.
const char SHADER_LIGHT[] =
    "uniform vec3 eye, to_sun;\n"
    "uniform mat4 light_view_projection;\n"
    "uniform sampler2DShadow shadow_map;\n"
    "const vec3 SUN = vec3(1.00, 0.92, 0.80) * 1.55;\n"
    "const vec3 HORIZON = vec3(0.70, 0.80, 0.88), ZENITH = vec3(0.22, 0.42, 0.70);\n"
    "vec3 linear(vec3 srgb) { return pow(srgb, vec3(2.2)); }\n"
    "vec3 encode(vec3 light) {\n"
    "  vec3 x = light * 0.9;\n" // filmic shoulder: Narkowicz (2015), ACES fit
    "  x = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);\n"
    "  return pow(x, vec3(1.0 / 2.2));\n"
    "}\n"
    "vec3 sky(vec3 ray) {\n"
    "  float up = clamp(ray.y, 0.0, 1.0);\n"
    "  vec3 color = mix(HORIZON, ZENITH, 1.0 - pow(1.0 - up, 3.0));\n"
    "  return color + 0.12 * pow(max(dot(ray, to_sun), 0.0), 24.0) * SUN;\n"
    "}\n"
    "float sunlight(vec3 point, vec3 n) {\n"
    "  vec4 q = light_view_projection * vec4(point + 0.012 * n, 1.0);\n"
    "  vec3 uv = 0.5 + 0.5 * q.xyz;\n"
    "  if (any(lessThan(uv, vec3(0.005))) || any(greaterThan(uv, vec3(0.995)))) return 1.0;\n"
    "  vec2 step = 1.7 / vec2(textureSize(shadow_map, 0));\n"
    "  float lit = 0.0;\n"
    "  for (int i = -2; i <= 2; i++)\n"
    "    for (int k = -2; k <= 2; k++) lit += texture(shadow_map, uv + vec3(vec2(i, k) * step, 0.0));\n"
    "  return lit / 25.0;\n"
    "}\n"
    "vec3 fog(vec3 color, vec3 point) {\n"
    "  vec3 way = point - eye;\n"
    "  float far = length(way);\n"
    "  float amount = 1.0 - exp(-pow(far / 40.0, 2.0));\n"
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
    "uniform vec4 tint;\n"
    "uniform float glow;\n" // 0 lit surface, 1 its plain colour
    "out vec4 color;\n"
    "void main() {\n"
    "  vec3 n = normalize(normal), to_eye = normalize(eye - world);\n"
    "  vec3 base = linear(tint.rgb);\n"
    "  float sun = max(dot(n, to_sun), 0.0) * sunlight(world, n);\n"
    "  float shine = pow(max(dot(n, normalize(to_sun + to_eye)), 0.0), 40.0) * sun;\n"
    "  float rim = pow(1.0 - max(dot(n, to_eye), 0.0), 4.0);\n"
    "  vec3 light = base * (ambient(n) + sun * SUN) + 0.10 * shine * SUN + 0.16 * rim * ambient(n);\n"
    "  color = vec4(encode(fog(mix(light, base * 1.6, glow), world)), tint.a);\n"
    "}\n";

// Denser toward the rim, like glass. Colours multiplied by opacity.
const char SHADER_GHOST_FRAGMENT[] = "in vec3 world, normal;\n"
                                     "uniform vec4 tint;\n"
                                     "out vec4 color;\n"
                                     "void main() {\n"
                                     "  vec3 n = normalize(normal), to_eye = normalize(eye - world);\n"
                                     "  float rim = pow(1.0 - abs(dot(n, to_eye)), 1.5);\n"
                                     "  float shade = 0.80 + 0.20 * dot(n, to_sun);\n"
                                     "  float opacity = tint.a * mix(0.50, 0.95, rim);\n"
                                     "  color = vec4(tint.rgb * shade * opacity, opacity);\n"
                                     "}\n";

// The ground: lines each metre, stronger each five, darker where it is steep and close under a shape.
// Occlusion by a sphere: Quilez (2013), "Sphere ambient occlusion"; here by the nearest sphere of a capsule.
const char SHADER_TERRAIN_FRAGMENT[] =
    "in vec3 world;\n"
    "uniform int occluder_count;\n"
    "uniform vec4 occluder_a[40], occluder_b[40];\n" // ends of a capsule; w: radius
    "out vec4 color;\n"
    "float grid(vec2 at, float period, float width) {\n"
    "  vec2 u = at / period, wide = fwidth(u);\n"
    "  vec2 near = abs(fract(u - 0.5) - 0.5);\n"
    "  vec2 half_line = max(vec2(0.5 * width / period), 0.5 * wide);\n"
    "  vec2 line = 1.0 - smoothstep(half_line - 0.5 * wide, half_line + wide, near);\n"
    "  line *= min(vec2(1.0), (width / period) / wide + 0.12);\n" // thin lines fade with distance
    "  return max(line.x, line.y);\n"
    "}\n"
    "float contact(vec3 n) {\n"
    "  float open = 1.0;\n"
    "  for (int i = 0; i < occluder_count; i++) {\n"
    "    vec3 a = occluder_a[i].xyz, along = occluder_b[i].xyz - a;\n"
    "    float t = clamp(dot(world - a, along) / max(dot(along, along), 1e-9), 0.0, 1.0);\n"
    "    vec3 way = a + t * along - world;\n"
    "    float far = length(way), r = occluder_a[i].w;\n"
    "    open *= 1.0 - 0.75 * max(dot(n, way) / far, 0.0) * min(r * r / (far * far), 1.0);\n"
    "  }\n"
    "  return open;\n"
    "}\n"
    "void main() {\n"
    "  vec3 n = normalize(cross(dFdx(world), dFdy(world)));\n"
    "  if (n.y < 0.0) n = -n;\n"
    "  float steep = clamp((1.0 - n.y) * 6.0, 0.0, 1.0);\n"
    "  vec3 base = mix(linear(vec3(0.45, 0.51, 0.50)), linear(vec3(0.46, 0.40, 0.34)), steep);\n"
    "  vec2 tile = floor(world.xz);\n"
    "  base *= 0.97 + 0.06 * mod(tile.x + tile.y, 2.0);\n"
    "  base = mix(base, linear(vec3(0.62, 0.68, 0.67)), 0.45 * grid(world.xz, 1.0, 0.014));\n"
    "  base = mix(base, linear(vec3(0.74, 0.80, 0.79)), 0.60 * grid(world.xz, 5.0, 0.024));\n"
    "  float sun = max(dot(n, to_sun), 0.0) * sunlight(world, n);\n"
    "  float open = contact(n);\n"
    "  vec3 light = base * (ambient(n) * open + sun * SUN * (0.5 + 0.5 * open));\n"
    "  color = vec4(encode(fog(light, world)), 1.0);\n"
    "}\n";

const char SHADER_DEPTH_FRAGMENT[] = "void main() {}\n";

const char SHADER_COPY_FRAGMENT[] = "uniform sampler2D source;\n"
                                    "out vec4 color;\n"
                                    "void main() { color = texelFetch(source, ivec2(gl_FragCoord.xy), 0); }\n";

const char SHADER_FLAT_FRAGMENT[] = "in vec4 tint;\n"
                                    "out vec4 color;\n"
                                    "void main() { color = tint; }\n";
