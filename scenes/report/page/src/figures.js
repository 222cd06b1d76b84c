// What stands on the stage: characters in three poses, objects, centres of mass.
import {
  BoxGeometry,
  CapsuleGeometry,
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  SphereGeometry,
} from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { cssColor } from "./dom.js";
import { place } from "./motion.js";

/** The geometry of a shape as in ShapeDef: box edges; capsule radius, length of the cylinder; sphere radius. */
function shapeGeometry({ kind, size, axis }) {
  if (kind === "sphere") return new SphereGeometry(size[0], 32, 20);
  if (kind === "box") {
    const bevel = 0.12 * Math.min(...size);
    return bevel > 0 ? new RoundedBoxGeometry(...size, 3, bevel) : new BoxGeometry(...size);
  }
  const geometry = new CapsuleGeometry(size[0], size[1], 10, 24); // along y
  if (axis === 0) geometry.rotateZ(-Math.PI / 2);
  if (axis === 2) geometry.rotateX(Math.PI / 2);
  return geometry;
}

function shapeMesh(shape, material) {
  const mesh = new Mesh(shapeGeometry(shape), material);
  if (shape.position) mesh.position.fromArray(shape.position);
  if (shape.rotation) mesh.quaternion.fromArray(shape.rotation);
  return mesh;
}

// Ghosts lie a little behind solid surfaces, so that they show only where they differ.
function ghostMaterial() {
  return new MeshLambertMaterial({
    transparent: true,
    opacity: 0.42,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 2,
  });
}

/** A character in one pose: a group for every part at its joint's frame. */
class Figure {
  constructor(character, poseName) {
    this.path = character.poses[poseName];
    this.solid = poseName === "output";
    this.group = new Group();
    this.parts = character.parts.map((part) => {
      const frame = new Group();
      frame.material = this.solid ? new MeshLambertMaterial() : ghostMaterial();
      for (const shape of part.shapes) frame.add(shapeMesh(shape, frame.material));
      for (const mesh of frame.children) mesh.castShadow = this.solid;
      frame.name = part.name;
      this.group.add(frame);
      return frame;
    });
  }

  setColor(color) {
    for (const part of this.parts) part.material.color.copy(color);
  }

  place(moment) {
    this.parts.forEach((part, row) => (part.visible = place(part, this.path, this.parts.length, row, moment)));
  }
}

/** A character: its poses and its centre of mass. */
export class CharacterModel {
  constructor(character) {
    this.name = character.name;
    this.com = character.com;
    this.figures = Object.fromEntries(Object.keys(character.poses).map((name) => [name, new Figure(character, name)]));
    this.group = new Group();
    for (const figure of Object.values(this.figures)) this.group.add(figure.group);
    this.dot = new Mesh(
      new SphereGeometry(0.035, 20, 14),
      new MeshBasicMaterial({ depthTest: false, transparent: true }),
    );
    this.dot.renderOrder = 3;
    this.group.add(this.dot);
    this.setColors();
  }

  setColors() {
    this.base = new Color(cssColor("--body"));
    this.strong = new Color(cssColor("--body-strong"));
    for (const name of Object.keys(this.figures))
      this.figures[name].setColor(name === "output" ? this.base : new Color(cssColor(`--${name}`)));
    this.dot.material.color.set(cssColor("--com"));
  }

  show(shown) {
    for (const [name, figure] of Object.entries(this.figures)) figure.group.visible = shown[name];
    this.dot.visible = shown.com && this.com !== null;
  }

  place(moment) {
    for (const figure of Object.values(this.figures)) figure.place(moment);
    if (!this.com) return;
    for (let i = 0; i < 3; i++) {
      const [a, b] = [this.com[3 * moment.frame + i], this.com[3 * moment.next + i]];
      this.dot.position.setComponent(i, a + (b - a) * moment.share);
    }
  }

  /** shares: for each part 0 (its own colour) to 1, or null for all plain. */
  paint(shares) {
    const figure = this.figures.output;
    figure?.parts.forEach((part, row) =>
      part.material.color.lerpColors(this.base, this.strong, shares ? shares[row] : 0),
    );
  }

  part(partName, poseName) {
    return this.figures[poseName]?.parts.find((part) => part.name === partName);
  }
}

export class ObjectModel {
  constructor(object) {
    this.path = object;
    this.material = new MeshLambertMaterial();
    this.mesh = new Group();
    this.mesh.add(shapeMesh(object.shape, this.material));
    this.mesh.children[0].castShadow = true;
    this.setColors();
  }

  setColors() {
    this.material.color.set(cssColor("--object"));
  }

  place(moment) {
    this.mesh.visible = place(this.mesh, this.path, 1, 0, moment);
  }
}

/** Frees what a group took on the graphics card. */
export function dispose(group) {
  group.traverse((node) => {
    node.geometry?.dispose();
    if (node.material?.dispose) node.material.dispose();
  });
  group.removeFromParent();
}
