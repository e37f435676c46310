/**
 * Shows steps one after the other, each for as long as its game wants, but never far behind. It knows no server and no
 * table: its owner adds steps and reads `shown`.
 */
import type { Json } from "../net/protocol";

/** What is on the screen: the position after some step, and how it came about. */
export interface Shown {
  number: number;
  view: Json | null;
  prompt: Json;
  legal: string[];
  toAct: number[];
  asked: number;
  /** What happened in the step; empty if there is nothing to act out. */
  events: Json[];
  actor: number;
  result: Json | null;
  /** The seat whose view it is; null for the public view. */
  viewpoint: number | null;
}

/** How fast steps are shown, and what is called when they are. */
export interface PlaybackHandlers {
  /** How long these events are to be shown, in milliseconds; Infinity until the user goes on. */
  wanted(events: Json[]): number;
  /** How long all waiting steps may take together, in milliseconds: beyond that they are shown faster. */
  backlogLimit(): number;
  /** A step has come on the screen, or was passed over. */
  passes(step: Shown): void;
  /** A step comes on the screen; `last` if nothing waits behind it. */
  shows(step: Shown, last: boolean): void;
  /** The newest step has been seen as long as it wants. */
  rests(): void;
}

const NOTHING: Shown = {
  number: 0,
  view: null,
  prompt: {},
  legal: [],
  toAct: [],
  asked: 0,
  events: [],
  actor: -1,
  result: null,
  viewpoint: null,
};

/** So many steps can be shown again, the first of them after a moment, none for less than a glance. */
const KEPT = 24;
const MOMENT = 400;
const GLANCE = 250;

export class Playback {
  shown = $state.raw<Shown>(NOTHING);
  /** What is on the screen is the newest there is, and has been seen as long as it wants. */
  resting = $state(true);

  private queue = $state.raw<Shown[]>([]);
  private repeating = $state(false);
  private past: Shown[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private shownAt = 0;
  private held = false;

  constructor(private readonly pace: PlaybackHandlers) {}

  /** Nothing is waiting to be shown. */
  get settled(): boolean {
    return this.queue.length === 0 && !this.repeating;
  }

  /** All there is has been seen. */
  get idle(): boolean {
    return this.settled && this.resting;
  }

  /** Show a position without animation. Waiting steps are dropped; steps of the public view can be shown `again`. */
  begin(now: Shown, again: "public" | "nothing" = "nothing"): void {
    this.stop();
    this.queue = [];
    this.repeating = false;
    this.resting = true;
    this.shown = now;
    const before = again === "public" ? this.past.filter(({ viewpoint }) => viewpoint === null) : [];
    this.past = [...before, now].slice(-KEPT);
  }

  /** What waits will not be shown; what is on the screen stays there for its time. */
  forget(): void {
    this.queue = [];
  }

  /** One step more: shown when its turn comes, or `at once` with all that waits before it. */
  add(step: Shown, atOnce: boolean): void {
    const idle = this.settled;
    this.queue = [...this.queue, step];
    if (atOnce) this.newest();
    else if (idle) this.after(this.resting ? 0 : this.time(this.shown) - (Date.now() - this.shownAt));
  }

  /** The next step, without waiting any longer; if there is none, this one has been seen. */
  onward(): void {
    if (this.repeating) this.unrepeat();
    else if (this.queue.length > 0) this.next();
    else this.rest();
  }

  /** Do not wait: show how things stand. */
  skip(): void {
    if (this.repeating || this.queue.length > 0) this.newest();
    else this.rest();
  }

  /** Show again what `seat` did last, and what happened since. */
  again(seat: number | null): void {
    if (!this.settled || this.past.length < 2) return;
    const from = Math.max(
      1,
      this.past.findLastIndex(({ actor }) => actor === seat),
    );
    const before = this.past[Math.max(0, from - 1)];
    this.rest();
    if (before) this.shown = { ...before, events: [] };
    this.repeating = true;
    const steps = this.past.slice(from);
    this.timer = setTimeout(() => this.repeat(steps), MOMENT);
  }

  /** Show nothing yet: the game's part of the page is not loaded. */
  hold(): void {
    this.held = true;
  }

  release(): void {
    this.held = false;
    if (this.queue.length > 0) this.after(0);
    else if (!this.resting) this.after(this.time(this.shown));
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private newest(): void {
    this.stop();
    if (this.repeating) this.unrepeat();
    while (this.queue.length > 1) this.take();
    this.next();
  }

  private unrepeat(): void {
    this.stop();
    this.repeating = false;
    const last = this.past.at(-1);
    if (last) this.shown = { ...last, events: [] };
    if (this.queue.length > 0) this.after(0);
  }

  private repeat([step, ...rest]: Shown[]): void {
    if (!step) {
      this.repeating = false;
      this.next(); // something may have happened meanwhile
      return;
    }
    this.shown = step;
    this.timer = setTimeout(() => this.repeat(rest), Math.max(GLANCE, finite(this.pace.wanted(step.events))));
  }

  private next(): void {
    this.stop();
    const step = this.take();
    if (!step) return;
    this.pace.shows(step, this.queue.length === 0);
    this.after(this.time(step));
  }

  /** Go on after so many milliseconds; with Infinity, when the user says so. */
  private after(ms: number): void {
    this.stop();
    if (Number.isFinite(ms) && !this.held) this.timer = setTimeout(() => this.onward(), Math.max(0, ms));
  }

  private rest(): void {
    this.stop();
    if (this.resting) return;
    this.resting = true;
    this.pace.rests();
  }

  /** How long a step is seen: as long as it wants, unless too much waits behind it. */
  private time(step: Shown): number {
    const wanted = this.pace.wanted(step.events);
    const all = this.queue.reduce((sum, { events }) => sum + finite(this.pace.wanted(events)), finite(wanted));
    const most = this.pace.backlogLimit();
    return all > most ? (finite(wanted) * most) / all : wanted;
  }

  private take(): Shown | undefined {
    const [step, ...rest] = this.queue;
    if (!step) return undefined;
    this.queue = rest;
    this.shown = step;
    this.shownAt = Date.now();
    this.resting = false;
    this.past = [...this.past, step].slice(-KEPT);
    this.pace.passes(step);
    return step;
  }
}

/** A step that waits for the user counts with a usual reading time. */
function finite(ms: number): number {
  return Number.isFinite(ms) ? ms : 1_500;
}
