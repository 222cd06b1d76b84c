// Arrows for forces and hits. A pool: as many are drawn as were added since begin().
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from "three";

const UP = new Vector3(0, 1, 0);

export class Arrows {
  /** thickness: m. */
  constructor(thickness) {
    this.group = new Group();
    this.thickness = thickness;
    this.shaft = new CylinderGeometry(0.5, 0.5, 1, 12).translate(0, 0.5, 0);
    this.head = new ConeGeometry(1.4, 1, 16).translate(0, 0.5, 0);
    this.used = 0;
  }

  setColor(color) {
    this.color = color;
    for (const arrow of this.group.children) arrow.material.color.set(color);
  }

  begin() {
    this.used = 0;
    for (const arrow of this.group.children) arrow.visible = false;
  }

  /** From a point along a vector, both in m. */
  add(from, vector, opacity = 0.9) {
    const length = vector.length();
    if (!(length > 1e-4) || !Number.isFinite(from.x + from.y + from.z)) return;
    const arrow = this.group.children[this.used++] ?? this.make();
    const headLength = Math.min(4 * this.thickness, 0.5 * length);
    const [shaft, head] = arrow.children;
    shaft.scale.set(this.thickness, length - headLength, this.thickness);
    head.scale.set(this.thickness, headLength, this.thickness);
    head.position.y = length - headLength;
    arrow.position.copy(from);
    arrow.quaternion.setFromUnitVectors(UP, vector.clone().divideScalar(length));
    arrow.material.opacity = opacity;
    arrow.visible = true;
  }

  make() {
    const arrow = new Group();
    arrow.material = new MeshBasicMaterial({ color: this.color, transparent: true, depthTest: false });
    for (const geometry of [this.shaft, this.head]) {
      const mesh = new Mesh(geometry, arrow.material);
      mesh.renderOrder = 2;
      arrow.add(mesh);
    }
    this.group.add(arrow);
    return arrow;
  }
}
