// The script of a report: a replay in 3-D, plots that follow it and, of a study, charts and a table of its trials.
// Without it a run's page has the same numbers in tables and pictures; the results of a study are drawn by it alone.
//
// window.staggerReport, for tests and for the browser's console:
//   traces                     names of the traces in the page; trace: index of the one that is shown
//   select(index)              shows another trace
//   play(), pause(), playing   the replay
//   seek(s), time, range       the page's time in s, and [from, to] of what is played (null: all); zoom(from, to)
//   hasReplay                  false: the browser has no WebGL
//   partPosition(character, part, pose = "output")   where the part's joint is drawn, [x, y, z] in m; null: not there
//   cursor()                   what the plots' cursors say: [{character, path, time, values}]
//   events                     hits and pushes of the trace
//   measure(key)               chooses what the charts of a study show
//   points(axis...)            what is drawn there over one axis or two: [{values, n, value, low, high}]
//   filter(text), rows()       the table of trials: sets its filter, its trials in order
import "./style.css";
import { Clock } from "./clock.js";
import { readData } from "./data.js";
import { element, select, takeOver } from "./dom.js";
import { Motion } from "./motion.js";
import { Plots } from "./plots.js";
import { ReplayPanel } from "./replay_panel.js";
import { StudyData } from "./study_data.js";
import { StudyDirections } from "./study_directions.js";
import { StudyPlots } from "./study_plots.js";
import { studyCards, studyTables } from "./study_tables.js";
import { TrialTable } from "./trials.js";

class Page {
  constructor(data) {
    this.data = data;
    this.clock = new Clock();
    this.motions = [];
    this.trace = -1;
    if (data.traces.length > 0) this.makeReplay();
    if (data.study) this.makeStudy();
    if (data.traces.length > 0) this.select(0);
    this.linkTimes();
  }

  section(id) {
    return document.getElementById(id);
  }

  makeReplay() {
    const { traces } = this.data;
    this.choice =
      traces.length > 1
        ? select(
            "trace",
            traces.map((trace, index) => [index, traceLabel(trace)]),
            0,
            (index) => this.select(Number(index)),
          )
        : null;
    if (this.section("replay")) {
      this.panel = new ReplayPanel(this.clock, this.choice, this.section("plots"));
      takeOver(this.section("replay"), this.panel.node);
    }
    if (this.section("plots")) {
      this.plots = new Plots(this.clock);
      takeOver(this.section("plots"), this.plots.node);
    }
  }

  makeStudy() {
    this.study = new StudyData(this.data.study);
    const pick = (places) => this.pick(places);
    const traces = Object.fromEntries(this.data.traces.map((trace, index) => [trace.trial, index]));
    this.table = new TrialTable(this.study, traces, (index) => this.open(index));
    this.charts = new StudyPlots(this.study, pick);
    this.section("figures").querySelector("h2").after(studyCards(this.study));
    if (this.section("directions")) takeOver(this.section("directions"), new StudyDirections(this.study, pick).node);
    takeOver(this.section("study-plots"), this.charts.node);
    takeOver(this.section("summary"), studyTables(this.study));
    takeOver(this.section("trials"), this.table.node);
    this.charts.watch();
  }

  pick(places) {
    this.table?.setFilter(places.map(({ axis, value }) => `${axis.name} = ${value}`).join(" and "));
  }

  select(index) {
    this.trace = index;
    this.motions[index] ??= new Motion(this.data.traces[index]);
    const motion = this.motions[index];
    this.clock.setSpan(motion.start, motion.end);
    this.panel?.setMotion(motion);
    this.plots?.setMotion(motion);
    if (this.choice) this.choice.querySelector("select").value = String(index);
  }

  open(index) {
    this.select(index);
    this.section("replay")?.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  // The times in tables of hits show their moment, of the trial that the table is about.
  linkTimes() {
    if (!this.panel) return;
    for (const table of document.querySelectorAll("table.hits")) this.linkTable(table, 0);
    for (const details of document.querySelectorAll("#kept details")) {
      const trial = Number(details.querySelector("summary").textContent.match(/\d+/)?.[0] ?? NaN);
      const index = this.data.traces.findIndex((trace) => trace.trial === trial);
      if (index < 0) continue;
      details
        .querySelector("summary")
        .after(
          element("button", { type: "button", class: "time-link", onclick: () => this.open(index) }, "Show its replay"),
        );
      for (const table of details.querySelectorAll("table")) this.linkTable(table, index);
    }
  }

  linkTable(table, index) {
    const column = [...table.querySelectorAll("thead th")].findIndex((head) => head.textContent.startsWith("time"));
    for (const row of column < 0 ? [] : table.querySelectorAll("tbody tr")) this.linkTime(row.cells[column], index);
  }

  linkTime(cell, index) {
    const time = Number(cell.textContent);
    if (cell.textContent === "" || !Number.isFinite(time)) return;
    const show = () => {
      if (this.trace !== index) this.select(index);
      this.clock.seek(time);
      this.section("replay").scrollIntoView({ block: "nearest", behavior: "smooth" });
    };
    cell.replaceChildren(
      element(
        "button",
        { type: "button", class: "time-link", title: "Show this moment", onclick: show },
        cell.textContent,
      ),
    );
  }
}

function traceLabel(trace) {
  return trace.trial === undefined || trace.trial === null || trace.trial < 0
    ? trace.name
    : `trial ${trace.trial}, seed ${trace.seed}`;
}

function publish(page) {
  const { clock } = page;
  window.staggerReport = {
    get traces() {
      return page.data.traces.map(({ name }) => name);
    },
    get trace() {
      return page.trace;
    },
    select: (index) => page.select(index),
    play: () => clock.play(),
    pause: () => clock.pause(),
    get playing() {
      return clock.playing;
    },
    seek: (time) => clock.seek(time),
    get time() {
      return clock.time;
    },
    zoom: (from, to) => clock.setRange([from, to]),
    get range() {
      return clock.range;
    },
    get hasReplay() {
      return Boolean(page.panel?.replay);
    },
    partPosition: (character, part, pose) => page.panel?.replay?.partPosition(character, part, pose) ?? null,
    cursor: () => page.plots?.cursor() ?? [],
    get events() {
      return page.motions[page.trace]?.events ?? [];
    },
    measure: (key) => page.charts?.choose(key),
    points: (...names) => page.charts?.points(names) ?? [],
    filter: (text) => page.table?.setFilter(text),
    rows: () => page.table?.order.map((row) => page.study.column("trial").values[row]) ?? [],
  };
}

// What goes wrong is told where the reader looks for it; the page without script stays as it is.
try {
  publish(new Page(readData()));
} catch (error) {
  const note = element(
    "p",
    { class: "script-error", role: "alert" },
    `The interactive part of this report could not start: ${error.message}.`,
  );
  (document.querySelector("main") ?? document.body).prepend(note);
  console.error(error);
}
