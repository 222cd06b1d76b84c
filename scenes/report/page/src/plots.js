// Plots of a trace's channels over time, all with the page's time as their cursor and with one range of time.
import { decode, describeEvent, formatNumber, withUnit } from "./data.js";
import { cssColor, element, onColorScheme, onVisible } from "./dom.js";
import { nearestFrame } from "./motion.js";
import { TimePlot } from "./time_plot.js";

const HINT =
  "Move over a plot: the replay follows (click while it plays). " +
  "Drag: zoom, for all plots and the replay's loop. Double click: all.";
const FEW_LINES = 6;
const BEFORE_EVENT = 0.3; // s, shown by the button of an event
const AFTER_EVENT = 1.2;

export class Plots {
  constructor(clock) {
    this.clock = clock;
    this.plots = [];
    this.rangeText = element("output", {});
    this.showAll = element("button", { type: "button", onclick: () => clock.setRange(null) }, "show all");
    this.chips = element("span", { class: "chips" });
    this.groups = element("div", {});
    this.toolbar = element(
      "div",
      { class: "plot-toolbar" },
      element("span", { class: "hint" }, HINT),
      this.chips,
      element("span", { class: "range" }, this.rangeText, this.showAll),
    );
    this.node = element("div", {}, this.toolbar, this.groups);
    clock.listen((what) => this.update(what));
    onColorScheme(() => this.motion && this.setMotion(this.motion));
  }

  setMotion(motion) {
    this.motion = motion;
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
    this.groups.replaceChildren(...motion.characters.flatMap((character) => this.characterPlots(character)));
    this.chips.replaceChildren(...motion.events.slice(0, 24).map((event) => this.chip(event)));
    this.update("range");
    this.update("time");
  }

  chip(event) {
    const show = () => {
      this.clock.setRange([event.time - BEFORE_EVENT, event.end + AFTER_EVENT]);
      this.clock.seek(event.time);
    };
    const label = `${event.time.toFixed(2)} s ${event.part || event.kind}`;
    return element(
      "button",
      { type: "button", class: "chip", title: `Zoom to ${describeEvent(event)}`, onclick: show },
      label,
    );
  }

  // Plots of few lines together, then those with a line for each joint and the like, by their groups.
  characterPlots(character) {
    const plots = character.plots ?? [];
    const zeros = plots.filter(isZero);
    const shown = plots.filter((plot) => !zeros.includes(plot));
    const groups = new Map();
    for (const plot of shown) {
      const group = plot.series.length <= FEW_LINES ? "" : plot.group;
      groups.set(group, [...(groups.get(group) ?? []), plot]);
    }
    const several = this.motion.characters.length > 1;
    const made = [...groups]
      .sort(([a], [b]) => (b === "") - (a === ""))
      .map(([name, members]) => {
        const grid = element("div", { class: "plot-grid" }, ...members.map((plot) => this.addPlot(character, plot)));
        return name
          ? element("details", { class: "plot-group", open: true }, element("summary", {}, name), grid)
          : grid;
      });
    if (several) made.unshift(element("h3", {}, character.name));
    if (zeros.length)
      made.push(element("p", { class: "hint" }, `Zero throughout: ${zeros.map(({ label }) => label).join(", ")}.`));
    return made;
  }

  addPlot(character, plot) {
    const made = new PlotFigure(this.clock, this.motion, character, plot);
    this.plots.push(made);
    return made.node;
  }

  update(what) {
    if (what === "range") {
      const { range } = this.clock;
      this.rangeText.textContent = range ? `${range[0].toFixed(3)} to ${range[1].toFixed(3)} s` : "";
      this.showAll.hidden = !range;
      for (const plot of this.plots) plot.showRange();
    }
    if (what === "time") for (const plot of this.plots) plot.showTime();
  }

  /** What the plots' cursors say: [{character, path, time, values: {name: value}}]. */
  cursor() {
    return this.plots.map((plot) => plot.cursor());
  }
}

/** One plot with its title and a legend of switches that tells the values at the cursor. */
class PlotFigure {
  constructor(clock, motion, character, plot) {
    Object.assign(this, { clock, motion, character, plot });
    const styles = seriesStyles(plot.series.map(({ name }) => name));
    this.series = plot.series.map(({ name, data }, index) => ({ name, numbers: decode(data), ...styles[index] }));
    this.legend = element("div", { class: "legend" });
    this.canvas = element("div", {
      class: "plot-canvas",
      role: "img",
      "aria-label": `${withUnit(plot.label, plot.unit)} over time`,
    });
    this.node = element(
      "figure",
      { class: "plot", "data-path": plot.path },
      element("figcaption", { title: `${plot.path} of the trace` }, withUnit(plot.label, plot.unit)),
      this.canvas,
      this.legend,
    );
    this.timePlot = new TimePlot(this.canvas, {
      clock,
      log: plot.log,
      time: motion.time,
      series: this.series,
      events: motion.events.filter((event) => !event.character || event.character === character.name),
      onfocus: (index) => this.highlight(index),
    });
    this.makeLegend();
    this.visible = true;
    onVisible(this.node, (visible) => {
      this.visible = visible;
      if (visible) this.showTime();
    });
  }

  makeLegend() {
    this.items = this.series.map((series, index) => {
      const value = element("span", { class: "value" });
      const item = element(
        "button",
        { type: "button", "aria-pressed": "true", title: "Click: hide or show. Double click: this one alone." },
        element("i", { class: series.dash ? "dashed" : "" }),
        element("span", {}, series.name),
        value,
      );
      item.style.setProperty("--color", series.color);
      item.addEventListener("click", () => this.toggle(index));
      item.addEventListener("dblclick", () => this.only(index));
      for (const name of ["mouseenter", "focus"]) item.addEventListener(name, () => this.timePlot.focus(index));
      for (const name of ["mouseleave", "blur"]) item.addEventListener(name, () => this.timePlot.focus(null));
      return { item, value };
    });
    const shortcuts = this.series.length > FEW_LINES ? this.shortcuts() : [];
    this.legend.append(...this.items.map(({ item }) => item), ...shortcuts);
  }

  // Many lines: choose them by side, or the largest ones.
  shortcuts() {
    const sets = [
      ["all", () => true],
      ["none", () => false],
    ];
    if (this.series.some(({ name }) => /_l$/.test(name)))
      sets.push(["left", (name) => !/_r$/.test(name)], ["right", (name) => !/_l$/.test(name)]);
    const buttons = sets.map(([label, keeps]) =>
      element(
        "button",
        { type: "button", class: "shortcut", onclick: () => this.choose(({ name }) => keeps(name)) },
        label,
      ),
    );
    const largest = element(
      "button",
      {
        type: "button",
        class: "shortcut",
        title: "The five that are largest in the visible range",
        onclick: () => this.chooseLargest(5),
      },
      "largest 5",
    );
    return [...buttons, largest];
  }

  chooseLargest(count) {
    const [from, to] = [this.clock.from(), this.clock.to()];
    const size = ({ numbers }) => {
      let most = 0;
      numbers.forEach((value, frame) => {
        const inside = this.motion.time[frame] >= from && this.motion.time[frame] <= to;
        if (inside && Math.abs(value) > most) most = Math.abs(value);
      });
      return most;
    };
    const largest = [...this.series].sort((a, b) => size(b) - size(a)).slice(0, count);
    this.choose((series) => largest.includes(series));
  }

  choose(keeps) {
    this.series.forEach((series, index) => this.setShown(index, keeps(series)));
  }

  toggle(index) {
    this.setShown(index, this.items[index].item.getAttribute("aria-pressed") !== "true");
  }

  only(index) {
    this.series.forEach((_, other) => this.setShown(other, other === index));
  }

  setShown(index, shown) {
    this.items[index].item.setAttribute("aria-pressed", String(shown));
    this.timePlot.show(index, shown);
  }

  highlight(index) {
    this.items?.forEach(({ item }, other) => item.classList.toggle("focused", other === index));
  }

  showRange() {
    this.timePlot.showRange();
  }

  showTime() {
    if (!this.visible) return;
    this.timePlot.showTime();
    const frame = nearestFrame(this.motion.time, this.clock.time);
    this.items.forEach(({ value }, index) => (value.textContent = formatNumber(this.series[index].numbers[frame])));
  }

  cursor() {
    const frame = nearestFrame(this.motion.time, this.clock.time);
    const values = Object.fromEntries(this.series.map(({ name, numbers }) => [name, numbers[frame]]));
    return { character: this.character.name, path: this.plot.path, time: this.motion.time[frame], values };
  }

  destroy() {
    this.timePlot.destroy();
  }
}

function isZero(plot) {
  return plot.series.every(({ data }) => decode(data).every((value) => value === 0 || !Number.isFinite(value)));
}

const AXES = { x: 4, y: 2, z: 0 }; // red, green, blue, as axes are drawn elsewhere

// Colours of a plot's lines. Left and right of one name have the same, the right one dashed.
function seriesStyles(names) {
  const stems = names.map((name) => name.replace(/_[lr]$/, ""));
  const order = [...new Set(stems)];
  return names.map((name, index) => {
    const axis = name
      .match(/^([xyz])$|\(([xyz])\)$/)
      ?.slice(1)
      .find(Boolean);
    const size = names.length === 4 && name === "size"; // of a vector: in grey
    const hue = size ? 7 : (AXES[axis] ?? order.indexOf(stems[index]));
    return { color: cssColor(`--c${hue % 10}`), dash: /(_r|^right)$/.test(name) };
  });
}
