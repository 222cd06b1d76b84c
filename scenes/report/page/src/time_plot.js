// One plot over time: uPlot, its cursor tied to the page's clock.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { cssColor } from "./dom.js";

const HEIGHT = 170; // px

export class TimePlot {
  /** series: [{name, numbers, color, dash}]; onfocus(index or null): the line nearest to the mouse. */
  constructor(parent, { clock, log, time, series, events, onfocus }) {
    this.clock = clock;
    this.hovered = false;
    const data = [
      Array.from(time),
      ...series.map(({ numbers }) => Array.from(numbers, (value) => drawable(value, log))),
    ];
    const ink = cssColor("--soft");
    const axis = {
      stroke: ink,
      grid: { stroke: cssColor("--rule"), width: 1 },
      ticks: { stroke: cssColor("--rule"), width: 1, size: 4 },
      font: "11px system-ui, sans-serif",
    };
    this.plot = new uPlot(
      {
        width: parent.clientWidth || 480,
        height: HEIGHT,
        padding: [8, 12, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: true, y: false, dist: 6 }, focus: { prox: 24 }, points: { size: 6 } },
        focus: { alpha: 0.25 },
        scales: { x: { time: false }, y: { distr: log ? 3 : 1 } },
        axes: [
          { ...axis, size: 26, values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : `${tick} s`)) },
          { ...axis, size: 52 },
        ],
        series: [
          {},
          ...series.map(({ name, color, dash }) => ({
            label: name,
            stroke: color,
            width: 1.5,
            dash: dash ? [5, 3] : undefined,
            points: { show: false },
          })),
        ],
        hooks: {
          drawAxes: [(plot) => drawEvents(plot, events)],
          setScale: [(plot, key) => key === "x" && this.zoomed()],
          setSeries: [(plot, index, options) => "focus" in options && onfocus(index === null ? null : index - 1)],
        },
      },
      data,
      parent,
    );
    this.listenToMouse();
    this.observer = new ResizeObserver(() => parent.clientWidth && this.resize(parent.clientWidth));
    this.observer.observe(parent);
  }

  listenToMouse() {
    const { over } = this.plot;
    const seek = (event) => this.clock.seek(this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    over.addEventListener("mouseenter", () => (this.hovered = true));
    over.addEventListener("mousemove", (event) => event.buttons === 0 && !this.clock.playing && seek(event));
    over.addEventListener("click", seek);
    over.addEventListener("mouseleave", () => {
      this.hovered = false;
      this.showTime();
    });
  }

  resize(width) {
    this.plot.setSize({ width, height: HEIGHT });
    this.showTime();
  }

  // The user zoomed this plot: so do all, and the replay.
  zoomed() {
    const { min, max } = this.plot.scales.x;
    const [from, to] = [this.clock.from(), this.clock.to()];
    const same = Math.abs(min - from) < 1e-6 && Math.abs(max - to) < 1e-6;
    if (!same && min !== null && this.ready) this.clock.setRange([min, max]);
    this.showTime();
  }

  showRange() {
    this.ready = true;
    this.plot.setScale("x", { min: this.clock.from(), max: this.clock.to() });
  }

  showTime() {
    if (this.hovered && !this.clock.playing) return; // the mouse is the cursor
    const { min, max } = this.plot.scales.x;
    const { time } = this.clock;
    const inside = time >= min && time <= max;
    // Far above the plot, so that no line counts as near to the cursor.
    this.plot.setCursor({ left: inside ? this.plot.valToPos(time, "x") : -10, top: -1e4 }, false);
  }

  show(index, shown) {
    this.plot.setSeries(index + 1, { show: shown });
  }

  focus(index) {
    this.plot.setSeries(index === null ? null : index + 1, { focus: true });
  }

  destroy() {
    this.observer.disconnect();
    this.plot.destroy();
  }
}

// A gap where there is no value, or none that a logarithmic axis has.
function drawable(value, log) {
  return Number.isFinite(value) && !(log && value <= 0) ? value : null;
}

function drawEvents(plot, events) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = cssColor("--hit");
  ctx.globalAlpha = 0.55;
  for (const event of events) {
    if (event.time < plot.scales.x.min || event.time > plot.scales.x.max) continue;
    const left = plot.valToPos(event.time, "x", true);
    const width = Math.max(plot.valToPos(event.end, "x", true) - left, 1.5 * devicePixelRatio);
    ctx.fillRect(left, bbox.top, width, bbox.height);
  }
  ctx.restore();
}
