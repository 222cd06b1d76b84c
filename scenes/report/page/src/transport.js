// Play, pause, speed and the time bar with the marks of events.
import { describeEvent } from "./data.js";
import { checkbox, element, select } from "./dom.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

export class Transport {
  constructor(clock) {
    this.clock = clock;
    this.events = [];
    this.play = element("button", { class: "play", type: "button", onclick: () => clock.toggle() });
    this.bar = element("input", {
      type: "range",
      class: "scrub",
      min: 0,
      max: 1,
      step: "any",
      "aria-label": "Time",
      oninput: () => this.scrub(),
    });
    this.marks = element("div", { class: "marks" });
    this.rangeShade = element("div", { class: "range-shade", hidden: true });
    this.readout = element("output", { class: "readout", "aria-live": "off" });
    this.loop = checkbox("loop", clock.loop, (value) => clock.set("loop", value));
    this.speed = select(
      "speed",
      SPEEDS.map((speed) => [speed, `${speed}×`]),
      1,
      (value) => clock.set("speed", Number(value)),
    );
    this.node = element(
      "div",
      { class: "transport" },
      this.play,
      element("div", { class: "bar" }, this.rangeShade, this.marks, this.bar),
      this.readout,
      this.speed,
      this.loop,
    );
    clock.listen((what) => this.update(what));
    this.update("state");
  }

  scrub() {
    this.clock.seek(Number(this.bar.value));
  }

  setEvents(events) {
    this.events = events;
    const { start, end } = this.clock;
    this.marks.replaceChildren(
      ...events.map((event) => {
        const text = describeEvent(event);
        const mark = element("button", {
          type: "button",
          class: "event-mark",
          title: text,
          "aria-label": `Go to ${text}`,
        });
        mark.style.left = `${(100 * (event.time - start)) / (end - start || 1)}%`;
        mark.addEventListener("click", () => this.clock.seek(event.time));
        return mark;
      }),
    );
  }

  /** Jumps to the next event, or the one before. */
  jump(direction) {
    const times = this.events.map((event) => event.time);
    const ahead = times.filter((time) => (time - this.clock.time) * direction > 1e-3);
    if (ahead.length) this.clock.seek(direction > 0 ? Math.min(...ahead) : Math.max(...ahead));
  }

  update(what) {
    const { clock } = this;
    if (what === "state") {
      this.play.textContent = clock.playing ? "❚❚" : "▶";
      this.play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
      this.speed.querySelector("select").value = String(clock.speed);
    }
    if (what === "range") this.showRange();
    this.bar.value = String(clock.time);
    this.bar.setAttribute("aria-valuetext", `${clock.time.toFixed(2)} s`);
    this.readout.textContent = `${clock.time.toFixed(3)} s`;
  }

  showRange() {
    const { start, end, range } = this.clock;
    this.bar.min = String(start);
    this.bar.max = String(end);
    this.rangeShade.hidden = !range;
    if (!range) return;
    const share = (time) => (100 * (time - start)) / (end - start || 1);
    this.rangeShade.style.left = `${share(range[0])}%`;
    this.rangeShade.style.width = `${share(range[1]) - share(range[0])}%`;
  }

  speedStep(direction) {
    const index = SPEEDS.indexOf(this.clock.speed) + direction;
    if (index >= 0 && index < SPEEDS.length) this.clock.set("speed", SPEEDS[index]);
  }
}
