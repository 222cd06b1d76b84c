// The time that the replay and all plots show: one for the page. Whoever shows it subscribes.

export class Clock {
  constructor() {
    this.start = 0;
    this.end = 1;
    this.range = null; // [from, to]: what is played again and again; null: all
    this.time = 0;
    this.speed = 1;
    this.playing = false;
    this.loop = true;
    this.listeners = [];
    this.last = 0;
  }

  /** what: "time", "state" (playing, speed, loop) or "range". */
  listen(callback) {
    this.listeners.push(callback);
  }

  tell(what) {
    for (const callback of this.listeners) callback(what);
  }

  setSpan(start, end) {
    this.pause();
    this.start = start;
    this.end = end;
    this.range = null;
    this.time = start;
    this.tell("range");
    this.tell("time");
  }

  from() {
    return this.range ? this.range[0] : this.start;
  }

  to() {
    return this.range ? this.range[1] : this.end;
  }

  /** Plays between two times only; null: the whole. */
  setRange(range) {
    const whole = !range || (range[0] <= this.start && range[1] >= this.end);
    this.range = whole ? null : [Math.max(range[0], this.start), Math.min(range[1], this.end)];
    this.tell("range");
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.tell("time");
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.to() || this.time < this.from()) this.seek(this.from());
    this.playing = true;
    this.last = performance.now();
    this.tell("state");
    requestAnimationFrame((now) => this.tick(now));
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.tell("state");
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  set(name, value) {
    this[name] = value;
    this.tell("state");
  }

  tick(now) {
    if (!this.playing) return;
    const passed = Math.min(Math.max(now - this.last, 0) / 1000, 0.1); // a tab in the background does not leap
    this.last = now;
    let time = this.time + passed * this.speed;
    if (time >= this.to()) {
      if (!this.loop) this.pause();
      time = this.loop ? this.from() : this.to();
    }
    this.seek(time);
    if (this.playing) requestAnimationFrame((next) => this.tick(next));
  }
}
