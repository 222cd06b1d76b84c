// The results of a study over directions: success with its intervals, and strategies (DIRECTIONS in report_data.h).
import { element } from "./dom.js";
import { rose, SHARE_COLORS, shareColor } from "./rose.js";
import { describePlace, formatInterval, formatValue } from "./study_data.js";

const LARGE = 440; // px
const SMALL = 190;
const NOTE =
  "Seen from above: forward is up. A cell is one direction and one ring, over all other axes; pointing at it tells " +
  "its trials, a click lists them.";

const STRATEGIES = {
  ankle: ["ankle", "#1b5a9a"],
  hip: ["hip", "#5aa9c9"],
  step: ["one step", "#8fc07a"],
  steps: ["several steps", "#f0b445"],
  fall: ["fall", "#a92b34"],
};

/** onpick([{axis, value}]): the reader wants the trials there. */
export class StudyDirections {
  constructor(data, onpick) {
    Object.assign(this, { onpick, directions: data.study.directions });
    const { turn, outward, other, success, has_strategies: hasStrategies, tables } = this.directions;
    const [all, ...apart] = tables;
    this.turn = data.axes[turn];
    this.outward = data.axes[outward];
    const kinds = hasStrategies ? ["success", "strategy"] : ["success"];
    const titles = { success: `Success: ${success}`, strategy: "Strategy, by shares within each ring" };
    const keys = { success: shareKey, strategy: strategyKey };
    const charts = (figures) => element("div", { class: "study-charts" }, ...figures);
    const slice = (kind) => (table, i) => {
      const place = { axis: data.axes[other], value: data.axes[other].values[i] };
      return this.figure(SMALL, table, kind, [place], `${kind}, ${describePlace(place.axis, place.value)}`);
    };
    this.node = element(
      "div",
      {},
      charts(kinds.map((kind) => this.figure(LARGE, all, kind, [], titles[kind], keys[kind]()))),
      ...(apart.length ? kinds.map((kind) => charts(apart.map(slice(kind)))) : []),
      element("p", { class: "note" }, NOTE),
    );
  }

  /** place: of the other axis, when the table is of one of its values. */
  figure(size, table, kind, place, title, key) {
    const outward = key && this.outward ? `outward: ${this.outward.label}` : "";
    const caption = element("figcaption", {}, title, element("small", { class: "outward" }, outward));
    return element("figure", { class: "chart" }, caption, this.draw(size, table, kind, place, title), key);
  }

  draw(size, table, kind, place, label) {
    const { sectors } = this.directions;
    const rings = this.outward ? this.outward.values : [""];
    const cell = (ring, sector) => {
      const where = [{ axis: this.turn, value: sectors[sector] }, ...place];
      if (this.outward) where.splice(1, 0, { axis: this.outward, value: rings[ring] });
      const at = where.map(({ axis, value }) => describePlace(axis, value)).join(", ");
      const told = (kind === "success" ? successCell : strategyCell)(table, ring * sectors.length + sector);
      return { text: at + told.text, patches: told.patches, onpick: () => this.onpick(where) };
    };
    return rose({ size, sectors, rings: rings.map(formatValue), cell, label, named: size === LARGE });
  }
}

// The share between the lower and the upper end of its interval.
function successCell({ count, successes, low, high }, i) {
  if (!count[i]) return { text: "", patches: [] };
  const stripe = 0.2; // of a cell's width
  const interval = formatInterval({ isShare: true }, { low: low[i], high: high[i] });
  return {
    text: `: ${successes[i]} of ${count[i]}, 95 % interval ${interval}`,
    patches: [
      { color: shareColor(low[i]), to: stripe },
      { color: shareColor(successes[i] / count[i]), from: stripe, to: 1 - stripe },
      { color: shareColor(high[i]), from: 1 - stripe },
    ],
  };
}

// Divided outward by the shares of the strategies, the mildest inside.
function strategyCell({ told, strategies }, i) {
  let below = 0;
  const found = Object.entries(STRATEGIES).filter(([name]) => told[i] && strategies[name][i] > 0);
  return {
    text: found.map(([name, [text]]) => `, ${text} ${strategies[name][i]} of ${told[i]}`).join(""),
    patches: found.map(([name, [, color]]) => {
      const inner = below / told[i];
      below += strategies[name][i];
      return { color, inner, outer: below / told[i] };
    }),
  };
}

function shareKey() {
  const bar = element("i", { class: "bar", style: `background: linear-gradient(to right, ${SHARE_COLORS.join()})` });
  const cell = element("i", {
    class: "sample",
    style: `background: linear-gradient(to right, ${[0.6, 0.6, 0.85, 0.85, 0.96, 0.96]
      .map((share, i) => `${shareColor(share)} ${[0, 20, 20, 80, 80, 100][i]}%`)
      .join()})`,
  });
  return element(
    "div",
    { class: "chart-key" },
    element("span", {}, "0 % ", bar, " 100 %"),
    element("span", {}, cell, "low | share | high end of its 95 % interval"),
  );
}

function strategyKey() {
  const items = Object.values(STRATEGIES).map(([text, color]) =>
    element("span", {}, element("i", { style: `--color: ${color}` }), text),
  );
  return element("div", { class: "chart-key" }, ...items);
}
