// The replay: a trace's motion in 3-D, at the page's time.
import { Group, Vector3 } from "three";
import { Arrows } from "./arrows.js";
import { decode, describeEvent, formatNumber, withUnit } from "./data.js";
import { checkbox, cssColor, element, onColorScheme, onVisible, select } from "./dom.js";
import { CharacterModel, dispose, ObjectModel } from "./figures.js";
import { findFrame, smoothRoot } from "./motion.js";
import { Stage, VIEWS } from "./stage.js";

const METRES_PER_NEWTON = 0.001; // of force arrows
const METRES_PER_NEWTON_SECOND = 0.05; // of hit arrows
const HIT_FLASH = 0.35; // s

const LAYERS = [
  ["output", "shown pose"],
  ["target", "target"],
  ["measured", "measured body"],
  ["contacts", "contact forces"],
  ["assist", "assist force"],
  ["com", "centre of mass"],
];

export class Replay {
  /** Throws where the browser has no WebGL. */
  constructor(clock) {
    this.clock = clock;
    this.shown = { output: true, target: true, measured: false, contacts: true, assist: true, com: true };
    this.canvas = element("canvas", { "aria-label": "The motion in 3-D. Drag turns the camera." });
    this.stage = new Stage(this.canvas, () => this.redraw());
    this.contacts = new Arrows(0.012);
    this.assist = new Arrows(0.02);
    this.hits = new Arrows(0.024);
    this.stage.scene.add(this.contacts.group, this.assist.group, this.hits.group);
    this.world = new Group();
    this.models = [];
    this.objects = [];
    this.onScreen = true;
    this.makeControls();
    this.setColors();
    this.watch();
  }

  makeControls() {
    this.caption = element("div", { class: "caption", "aria-live": "polite" });
    this.colorKey = element("div", { class: "color-key" });
    this.frame = element("div", { class: "stage" }, this.canvas, this.caption, this.colorKey);
    this.options = element("div", { class: "options" });
  }

  watch() {
    new ResizeObserver(() => this.resize()).observe(this.frame);
    onVisible(this.frame, (visible) => {
      this.onScreen = visible;
      this.redraw();
    });
    onColorScheme(() => {
      this.setColors();
      this.redraw();
    });
    this.clock.listen((what) => what === "time" && this.redraw());
  }

  setColors() {
    this.stage.setColors();
    this.contacts.setColor(cssColor("--contact"));
    this.assist.setColor(cssColor("--assist"));
    this.hits.setColor(cssColor("--hit"));
    for (const model of [...this.models, ...this.objects]) model.setColors();
  }

  setMotion(motion) {
    this.motion = motion;
    dispose(this.world);
    this.world = new Group();
    this.models = motion.actors.map((character) => new CharacterModel(character));
    this.objects = motion.objects.map((object) => new ObjectModel(object));
    for (const model of this.models) this.world.add(model.group);
    for (const model of this.objects) this.world.add(model.mesh);
    this.stage.scene.add(this.world);
    this.stage.setGround(motion.trace.terrain);
    this.paths = motion.actors.map((character) =>
      smoothRoot(shownPose(character).position, character.parts.length, motion.time),
    );
    this.assistForces = motion.actors.map((character) => vectorPlot(character, "assist/force"));
    this.followed = motion.actors.length ? 0 : -1;
    this.setPaint(motion.actors.some((character) => paintPlot(character, "joints/blend")) ? "joints/blend" : "");
    this.showOptions();
    if (this.followed >= 0) this.stage.setView("three-quarter", this.followPoint(this.motion.at(this.clock.time)));
    this.redraw();
  }

  // The switches below the picture: those for which the trace has something.
  showOptions() {
    const { actors: characters } = this.motion;
    const has = {
      contacts: Boolean(this.motion.contacts),
      assist: this.assistForces.some(Boolean),
      com: characters.some((character) => character.com),
    };
    const layers = LAYERS.filter(([key]) => has[key] ?? characters.some((character) => character.poses[key]));
    const switches = layers.map(([key, label]) =>
      checkbox(label, this.shown[key], (value) => this.show(key, value), `swatch ${key}`),
    );
    const paints = paintChoices(characters);
    const views = Object.keys(VIEWS).map((name) =>
      element("button", { type: "button", onclick: () => this.view(name) }, name),
    );
    this.options.replaceChildren(
      element("fieldset", { class: "layers" }, element("legend", {}, "Shown"), ...switches),
      element(
        "fieldset",
        { class: "views" },
        element("legend", {}, "Camera"),
        ...views,
        characters.length > 0 ? this.followChoice() : null,
      ),
      paints.length > 1 ? select("colour by", paints, this.painted, (value) => this.setPaint(value)) : "",
    );
  }

  followChoice() {
    const choices = [...this.motion.actors.map(({ name }, index) => [index, name]), [-1, "nobody"]];
    return select("follows", choices, this.followed, (value) => {
      this.followed = Number(value);
      this.redraw();
    });
  }

  show(key, value) {
    this.shown[key] = value;
    this.redraw();
  }

  view(name) {
    this.stage.setView(name);
    this.redraw();
  }

  /** path: of the plot whose values colour the parts, "" for none. */
  setPaint(path) {
    this.painted = path;
    this.paints = this.motion.actors.map((character) => path && paintPlot(character, path));
    const paint = this.paints.find(Boolean);
    this.colorKey.hidden = !paint;
    if (paint) {
      this.colorKey.replaceChildren(
        element("span", {}, `${withUnit(paint.label, paint.unit)}: 0`),
        element("i"),
        element("span", {}, formatNumber(paint.most)),
      );
    }
    this.redraw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!width || !height) return;
    this.stage.resize(width, height);
    this.draw();
  }

  /** Draws before the browser paints next, once. */
  redraw() {
    if (this.waiting || !this.motion) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.onScreen) this.draw();
    });
  }

  draw() {
    if (!this.motion) return;
    this.place();
    this.stage.draw();
  }

  // Puts everything where it is at the clock's time.
  place() {
    const { time } = this.clock;
    const moment = this.motion.at(time);
    this.models.forEach((model, index) => {
      model.show(this.shown);
      model.place(moment);
      model.paint(this.paints[index] ? paintShares(this.paints[index], moment) : null);
    });
    for (const object of this.objects) object.place(moment);
    this.placeContacts(moment);
    this.placeAssist(moment);
    this.placeHits(time);
    if (this.followed >= 0) this.stage.follow(this.followPoint(moment));
  }

  followPoint({ frame, next, share }) {
    const path = this.paths[this.followed];
    return new Vector3().fromArray(path, 3 * frame).lerp(new Vector3().fromArray(path, 3 * next), share);
  }

  // A frame's contacts are the impulses since the frame before: between two frames the later one's are shown.
  placeContacts({ frame, next, share }) {
    this.contacts.begin();
    const { contacts } = this.motion;
    if (!contacts || !this.shown.contacts) return;
    const row = share > 0 ? next : frame;
    const step = row > 0 ? this.motion.time[row] - this.motion.time[row - 1] : 1 / this.motion.trace.frame_rate;
    for (let i = contacts.first[row]; i < contacts.first[row] + contacts.count[row]; i++) {
      const force = new Vector3().fromArray(contacts.impulse, 3 * i).divideScalar(step);
      this.contacts.add(
        new Vector3().fromArray(contacts.position, 3 * i),
        force.multiplyScalar(METRES_PER_NEWTON),
        0.8,
      );
    }
  }

  placeAssist({ frame, next, share }) {
    this.assist.begin();
    if (!this.shown.assist) return;
    this.assistForces.forEach((force, index) => {
      const points = this.motion.actors[index].assistPoint;
      const row = share > 0 ? next : frame;
      if (!force || !points || !Number.isFinite(points[3 * row])) return;
      const vector = new Vector3(...force.map((axis) => axis[row])).multiplyScalar(METRES_PER_NEWTON);
      this.assist.add(new Vector3().fromArray(points, 3 * row), vector);
    });
  }

  // An arrow that strikes at the event's time and fades.
  placeHits(time) {
    this.hits.begin();
    const texts = [];
    for (const event of this.motion.events) {
      const age = time - event.end;
      if (time < event.time - 1e-6 || age > HIT_FLASH || !(event.size > 0)) continue;
      const length = Math.min(Math.max(event.size * METRES_PER_NEWTON_SECOND, 0.25), 1.2);
      const vector = new Vector3(...event.impulse).setLength(length);
      const tip = this.hitPoint(event);
      this.hits.add(tip.sub(vector), vector, 0.95 - (0.8 * Math.max(age, 0)) / HIT_FLASH);
      texts.push(describeEvent(event));
    }
    const text = texts.join(", ");
    if (this.caption.textContent !== text) this.caption.textContent = text;
  }

  // Where the event struck, carried along with the part it struck.
  hitPoint(event) {
    const point = new Vector3(...event.point);
    const index = this.motion.actors.findIndex(({ name }) => name === event.character);
    const character = this.motion.actors[index];
    const row = character ? character.parts.findIndex(({ name }) => name === event.part) : -1;
    if (row < 0) return point;
    const { position } = shownPose(character, "measured");
    const place = (time) => {
      const { frame, next, share } = findFrame(this.motion.time, time);
      const from = new Vector3().fromArray(position, 3 * (frame * character.parts.length + row));
      return from.lerp(new Vector3().fromArray(position, 3 * (next * character.parts.length + row)), share);
    };
    return point.add(place(this.clock.time)).sub(place(event.time));
  }

  /** Where a part's frame is drawn, [x, y, z] in m; null when there is no such part or it is hidden. */
  partPosition(characterName, partName, poseName = "output") {
    this.place();
    const part = this.models.find((model) => model.name === characterName)?.part(partName, poseName);
    if (!part?.visible) return null;
    return part.getWorldPosition(new Vector3()).toArray();
  }
}

// The pose that stands for a character: the wanted one or, where the trace lacks it, any.
function shownPose(character, name = "output") {
  return character.poses[name] ?? Object.values(character.poses)[0];
}

function vectorPlot(character, path) {
  const plot = character.plots?.find((candidate) => candidate.path === path);
  const axes = ["x", "y", "z"].map((axis) =>
    plot?.series.find(({ name }) => name === axis || name.endsWith(`(${axis})`)),
  );
  return axes.every(Boolean) ? axes.map((series) => decode(series.data)) : null;
}

// Plots with a value for (nearly) every part can colour the parts.
function isPaint(character, plot) {
  const names = new Set(character.parts.map((part) => part.name));
  return plot.series.filter((series) => names.has(series.name)).length > character.parts.length / 2;
}

function paintChoices(characters) {
  const choices = new Map([["", "nothing"]]);
  for (const character of characters) {
    for (const plot of character.plots ?? [])
      if (isPaint(character, plot)) choices.set(plot.path, withUnit(plot.label, plot.unit));
  }
  return [...choices];
}

function paintPlot(character, path) {
  const plot = character.plots?.find((candidate) => candidate.path === path && isPaint(character, candidate));
  if (!plot) return null;
  const values = character.parts
    .map(({ name }) => plot.series.find((series) => series.name === name))
    .map((series) => series && decode(series.data));
  let most = plot.unit === "-" ? 1 : 0;
  for (const row of values) for (const value of row ?? []) if (Math.abs(value) > most) most = Math.abs(value);
  return { label: plot.label, unit: plot.unit, values, most };
}

function paintShares({ values, most }, { frame, next, share }) {
  const row = share > 0.5 ? next : frame;
  return values.map((numbers) => {
    const value = numbers ? Math.abs(numbers[row]) / (most || 1) : 0;
    return Number.isFinite(value) ? Math.min(value, 1) : 0;
  });
}
