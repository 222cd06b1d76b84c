// The stage of the replay: renderer, light, ground, camera.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  Mesh,
  MeshLambertMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { decode } from "./data.js";
import { cssColor } from "./dom.js";

/** Where the camera stands relative to what it looks at, m. Characters face +Z and have +X on their left. */
export const VIEWS = {
  "three-quarter": [-3.2, 0.9, 2.3],
  side: [-4.2, 0.3, 0],
  front: [0, 0.4, 4.2],
  behind: [0, 0.6, -4.2],
  above: [0, 5, -0.01],
};

export class Stage {
  /** Throws where the browser has no WebGL. */
  constructor(canvas, redraw) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene = new Scene();
    this.scene.fog = new Fog(0, 14, 60);
    this.scene.background = new Color();
    this.camera = new PerspectiveCamera(35, 16 / 9, 0.05, 200);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.maxDistance = 40;
    this.controls.minDistance = 0.4;
    this.controls.enableZoom = false; // the wheel scrolls the page until the picture is clicked
    canvas.style.touchAction = "pan-y";
    canvas.addEventListener("pointerdown", () => (this.controls.enableZoom = true));
    canvas.addEventListener("pointerleave", () => (this.controls.enableZoom = false));
    this.controls.addEventListener("change", redraw);
    this.addLight();
    this.ground = null;
    this.setView("three-quarter", new Vector3(0, 0.9, 0));
    this.setColors();
  }

  addLight() {
    this.sky = new HemisphereLight(0xffffff, 0xb4bac2, 2.3);
    this.sun = new DirectionalLight(0xffffff, 1.5);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    Object.assign(this.sun.shadow.camera, { left: -3, right: 3, top: 3, bottom: -3, near: 1, far: 20 });
    this.sun.shadow.radius = 3;
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.02;
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  setColors() {
    const background = new Color(cssColor("--stage"));
    this.scene.background.copy(background);
    this.scene.fog.color.copy(background);
    this.colors = { ground: new Color(cssColor("--stage-ground")), line: new Color(cssColor("--stage-line")) };
    if (this.ground) {
      this.ground.material.color.copy(this.colors.ground);
      this.ground.material.userData.line.value.copy(this.colors.line);
    }
  }

  /** terrain: of a TRACE; undefined: flat at y = 0. */
  setGround(terrain) {
    if (this.ground) {
      this.scene.remove(this.ground);
      this.ground.geometry.dispose();
      this.ground.material.dispose();
    }
    this.ground = new Mesh(groundGeometry(terrain), groundMaterial(this.colors));
    this.ground.userData.endless = !terrain;
    this.ground.receiveShadow = true;
    this.scene.add(this.ground);
  }

  /** Moves the camera along with what it looks at. */
  follow(target) {
    const step = target.clone().sub(this.controls.target);
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).add(new Vector3(-5, 8, 4));
    if (this.ground?.userData.endless) this.ground.position.set(Math.round(target.x), 0, Math.round(target.z));
  }

  setView(name, target = this.controls.target.clone()) {
    this.controls.target.copy(target);
    this.camera.position.copy(target).add(new Vector3(...VIEWS[name]));
    this.controls.update();
  }

  /** factor < 1: nearer. */
  zoom(factor) {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    offset.clampLength(this.controls.minDistance, this.controls.maxDistance);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  resize(width, height) {
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // Narrow pictures keep a man's width and height in view.
    this.camera.fov = this.camera.aspect < 1.2 ? 42 : 35;
    this.camera.updateProjectionMatrix();
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
  }
}

function groundGeometry(terrain) {
  if (!terrain) return new PlaneGeometry(240, 240).rotateX(-Math.PI / 2);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(decode(terrain.position), 3));
  geometry.setIndex(new BufferAttribute(new Uint32Array(decode(terrain.index)), 1));
  geometry.computeVertexNormals();
  return geometry;
}

// Lines every metre, thicker every five, so that distances can be read.
function groundMaterial(colors) {
  const material = new MeshLambertMaterial({ color: colors.ground });
  const line = { value: colors.line.clone() };
  material.userData.line = line;
  material.onBeforeCompile = (shader) => {
    shader.uniforms.lineColor = line;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec2 groundPlace;")
      .replace(
        "#include <begin_vertex>",
        "#include <begin_vertex>\ngroundPlace = (modelMatrix * vec4(position, 1.0)).xz;",
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying vec2 groundPlace;
        uniform vec3 lineColor;
        float gridLine(float metres, float pixels) {
          vec2 place = groundPlace / metres;
          vec2 distance = abs(fract(place - 0.5) - 0.5) / max(fwidth(place), 1e-6);
          return 1.0 - clamp(min(distance.x, distance.y) - pixels + 1.0, 0.0, 1.0);
        }`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        diffuseColor.rgb = mix(diffuseColor.rgb, lineColor, max(0.6 * gridLine(1.0, 1.0), gridLine(5.0, 1.6)));`,
      );
  };
  return material;
}
