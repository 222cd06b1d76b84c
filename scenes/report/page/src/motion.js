// A trace's motion: frames, and what lies between them.
import { Quaternion, Vector3 } from "three";
import { decode, groupEvents } from "./data.js";

const POSES = ["output", "target", "measured"];

export class Motion {
  constructor(trace) {
    this.trace = trace;
    this.time = decode(trace.time);
    this.events = groupEvents(trace.events);
    // A character whose motion could not be read has plots, but does not stand on the stage.
    this.characters = trace.characters.map((character) => ({
      ...character,
      poses: Object.fromEntries(
        POSES.filter((name) => character.poses?.[name]).map((name) => [name, decodePath(character.poses[name])]),
      ),
      com: character.com ? decode(character.com) : null,
      assistPoint: character.assist_point ? decode(character.assist_point) : null,
    }));
    this.actors = this.characters.filter(({ poses }) => Object.keys(poses).length > 0);
    this.objects = (trace.objects ?? []).map((object) => ({ ...object, ...decodePath(object) }));
    this.contacts = trace.contacts && {
      first: decode(trace.contacts.first),
      count: decode(trace.contacts.count),
      position: decode(trace.contacts.position),
      impulse: decode(trace.contacts.impulse),
    };
  }

  get start() {
    return this.time[0] ?? 0;
  }

  get end() {
    return this.time[this.time.length - 1] ?? 0;
  }

  /** The frame at or before a time, and how far the time is to the next one, 0..1. */
  at(time) {
    return findFrame(this.time, time);
  }
}

/** The largest index with times[index] <= time and the share of the way to the next. times: ascending, not empty. */
export function findFrame(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  const next = Math.min(low + 1, times.length - 1);
  const share = next > low ? (time - times[low]) / (times[next] - times[low]) : 0;
  return { frame: low, next, share: Math.min(Math.max(share, 0), 1) };
}

/** The frame nearest to a time. */
export function nearestFrame(times, time) {
  const { frame, next, share } = findFrame(times, time);
  return share > 0.5 ? next : frame;
}

function decodePath({ position, rotation }) {
  return { position: decode(position), rotation: decode(rotation) };
}

const nextPosition = new Vector3();
const nextRotation = new Quaternion();

/** Puts an object where row `row` of `rows` is between two frames. False where the path has no value. */
export function place(object, path, rows, row, { frame, next, share }) {
  const a = frame * rows + row;
  const b = next * rows + row;
  object.position.fromArray(path.position, 3 * a);
  object.quaternion.fromArray(path.rotation, 4 * a);
  if (share > 0) {
    object.position.lerp(nextPosition.fromArray(path.position, 3 * b), share);
    object.quaternion.normalize().slerp(nextRotation.fromArray(path.rotation, 4 * b).normalize(), share);
  }
  object.quaternion.normalize();
  return Number.isFinite(object.position.x) && Number.isFinite(object.quaternion.w);
}

/** The root's path without its bobbing: its mean over a quarter of a second to both sides. For the camera. */
export function smoothRoot(position, parts, times) {
  const frames = times.length;
  const smooth = new Float32Array(3 * frames);
  let low = 0;
  let high = 0;
  const sum = [0, 0, 0];
  for (let frame = 0; frame < frames; frame++) {
    while (high < frames && times[high] <= times[frame] + 0.25) addRow(sum, position, 3 * parts * high++, 1);
    while (times[low] < times[frame] - 0.25) addRow(sum, position, 3 * parts * low++, -1);
    for (let i = 0; i < 3; i++) smooth[3 * frame + i] = sum[i] / (high - low);
  }
  return smooth;
}

function addRow(sum, numbers, offset, sign) {
  for (let i = 0; i < 3; i++) sum[i] += sign * (Number.isFinite(numbers[offset + i]) ? numbers[offset + i] : 0);
}
