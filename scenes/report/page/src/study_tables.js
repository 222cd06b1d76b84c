// What a study comes to, in figures: cards of the main measures, a table of all, and one over each axis.
import { element } from "./dom.js";
import { formatInterval, formatMeasure, formatValue } from "./study_data.js";

const MOST_VALUES = 200; // of an axis in a table

const SAMPLE = {
  mean: "mean",
  deviation: "deviation",
  min: "least",
  quartile_1: "quartile 1",
  quartile_3: "quartile 3",
  max: "most",
};

const unitOf = ({ isShare, column }) => (isShare ? "" : column.unit);
const plural = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;

function card(name, value, unit, below) {
  const figure = [element("b", {}, value), unit ? element("span", { class: "unit" }, ` ${unit}`) : ""];
  return element(
    "div",
    { class: "card" },
    element("dt", {}, name),
    element("dd", {}, ...figure, element("small", {}, below)),
  );
}

export function studyCards(data) {
  const { trials, done, cells, repeats } = data.study;
  const cards = data.main
    .map((measure) => ({ measure, whole: data.whole(measure) }))
    .filter(({ whole }) => whole.n > 0)
    .map(({ measure, whole }) => {
      const interval = [formatInterval(measure, whole), `of ${whole.n} trials`].filter(Boolean).join("; ");
      const name = measure.isShare ? measure.short : `${measure.short}, median`;
      return card(name, formatMeasure(measure, whole.value), unitOf(measure), interval);
    });
  const planned = `of ${trials}: ${plural(cells, "cell")}, ${plural(repeats, "repeat")}`;
  return element("dl", { class: "cards" }, card("trials", String(done), "", planned), ...cards);
}

function table(caption, heads, rows) {
  return element(
    "div",
    { class: "scroll" },
    element(
      "table",
      { class: "summary" },
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells))),
    ),
  );
}

const head = (text, attributes = {}) => element("th", { scope: "col", class: "number", ...attributes }, text);
const cell = (...content) => element("td", { class: "number" }, ...content);

// A share or a median, and below it its interval and of how many trials it is where that is not all of them.
function estimate(measure, point) {
  const notes = [formatInterval(measure, point), point.n > 0 && point.n < point.trials ? `n = ${point.n}` : ""];
  return cell(formatMeasure(measure, point.value), ...notes.filter(Boolean).map((note) => element("small", {}, note)));
}

function wholeTable(data) {
  const heads = ["n", "share or median", ...Object.values(SAMPLE)].map((text) => head(text));
  const rows = data.measures
    .map((measure) => ({ measure, whole: data.whole(measure) }))
    .filter(({ whole }) => whole.n > 0)
    .map(({ measure, whole }) => [
      element("th", { scope: "row", title: measure.column.doc }, measure.key),
      element("td", { class: "unit" }, measure.isShare ? "share" : measure.column.unit),
      cell(whole.n),
      estimate(measure, whole),
      ...Object.keys(SAMPLE).map((name) => cell(measure.isShare ? "" : formatMeasure(measure, whole[name]))),
    ]);
  const named = [element("th", { scope: "col" }, "metric"), element("th", { scope: "col" }, "unit"), ...heads];
  return table("All trials (n: those of which a figure is)", named, rows);
}

function axisTable(data, axis) {
  const columns = data.main.map((measure) => data.points(measure, [axis]));
  const unit = (text) => element("span", { class: "unit" }, text);
  const heads = data.main.map((measure) =>
    element(
      "th",
      { scope: "col", class: "number", title: measure.column.doc },
      measure.short,
      unit(measure.isShare ? "share" : measure.column.unit),
    ),
  );
  const rows = columns[0].map(({ values, trials }, i) => [
    element("th", { scope: "row", class: "number" }, formatValue(values[0])),
    cell(trials),
    ...data.main.map((measure, k) => estimate(measure, columns[k][i])),
  ]);
  const first = element("th", { scope: "col", class: "number" }, axis.name, unit(axis.unit));
  return table(`Over ${axis.name}`, [first, head("trials"), ...heads], rows);
}

export function studyTables(data) {
  const axes = data.crossed.filter(({ values }) => values.length <= MOST_VALUES);
  return element("div", {}, wholeTable(data), ...axes.map((axis) => axisTable(data, axis)));
}
