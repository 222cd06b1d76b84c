// The section of the replay: picture, transport, keys; it follows the reader down to the plots.
import { element, onVisible } from "./dom.js";
import { Replay } from "./replay.js";
import { Transport } from "./transport.js";

const KEYS =
  "Space: play or pause · ← →: one frame, with Shift ten · [ ]: event before, next · − +: slower, faster · Home, End";

export class ReplayPanel {
  /** choice: the select of traces, or null; plots: the section beside which it is kept in sight. */
  constructor(clock, choice, plots) {
    this.clock = clock;
    this.transport = new Transport(clock);
    this.replay = tryReplay(clock);
    this.frame = this.replay?.frame ?? noPicture();
    this.close = element(
      "button",
      { type: "button", class: "undock", "aria-label": "Close the small replay", onclick: () => this.undock() },
      "×",
    );
    this.viewer = element("div", { class: "viewer" }, this.frame, this.transport.node, this.close);
    this.holder = element("div", { class: "holder" }, this.viewer);
    this.node = element(
      "div",
      {},
      choice,
      this.holder,
      this.replay?.options,
      element("p", { class: "hint" }, `${KEYS}. Drag: turn; click, then wheel: zoom; right drag: move.`),
    );
    document.addEventListener("keydown", (event) => this.key(event));
    this.inSight = true;
    this.plotsInSight = false;
    onVisible(this.holder, (visible) => this.seen("inSight", visible));
    if (plots) onVisible(plots, (visible) => this.seen("plotsInSight", visible));
  }

  setMotion(motion) {
    this.motion = motion;
    this.replay?.setMotion(motion);
    this.transport.setEvents(motion.events);
  }

  // Beside the plots it is kept in a corner, small, so that they can be read with the motion.
  seen(what, visible) {
    this[what] = visible;
    if (this.inSight) this.closed = false;
    this.dock(Boolean(this.replay) && !this.inSight && this.plotsInSight && !this.closed);
  }

  dock(docked) {
    this.holder.style.height = docked ? this.holder.style.height || `${this.holder.offsetHeight}px` : "";
    this.viewer.classList.toggle("docked", docked);
  }

  undock() {
    this.closed = true;
    this.dock(false);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.motion) return;
    if (event.target.closest?.("input:not(.scrub), select, textarea, [contenteditable]")) return;
    if (event.key === " " && event.target.closest?.("button, summary, a")) return; // they have their own use of it
    if (!this.inSight && !this.plotsInSight) return;
    const action = this.actions()[event.key];
    if (!action) return;
    event.preventDefault();
    action(event.shiftKey ? 10 : 1);
  }

  actions() {
    const { clock, transport } = this;
    const seek = (time) => {
      clock.pause();
      clock.seek(time);
    };
    return {
      " ": () => clock.toggle(),
      ArrowRight: (frames) => seek(this.stepped(frames)),
      ArrowLeft: (frames) => seek(this.stepped(-frames)),
      Home: () => clock.seek(clock.from()),
      End: () => seek(clock.to()),
      "[": () => transport.jump(-1),
      "]": () => transport.jump(1),
      "-": () => transport.speedStep(-1),
      "+": () => transport.speedStep(1),
      "=": () => transport.speedStep(1),
    };
  }

  /** The time some frames on. From between two frames the first step goes to the next of them. */
  stepped(frames) {
    const { time } = this.motion;
    const { frame, share } = this.motion.at(this.clock.time);
    const from = frames < 0 && share > 1e-3 ? frame + 1 : frame;
    return time[Math.min(Math.max(from + frames, 0), time.length - 1)];
  }
}

function tryReplay(clock) {
  try {
    return new Replay(clock);
  } catch {
    return null;
  }
}

function noPicture() {
  return element(
    "p",
    { class: "no-picture", role: "note" },
    "No replay in 3-D: this browser has no WebGL here, or it is switched off. The plots below are complete.",
  );
}
