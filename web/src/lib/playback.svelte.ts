/**
 * What happened, shown one step after the other: each as long as its game wants it seen, never far behind. It knows no
 * server and no table; whoever has steps gives them to it, and looks at `shown`.
 */
import type { Json } from "./wire";

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
}

/** How fast steps go by, and who is told of them. */
export interface Pace {
  /** How long these events want to be seen, in milliseconds. */
  pause(events: Json[]): number;
  /** No motion wanted: steps only need to be noticed. */
  calm(): boolean;
  /** A step comes on the screen; `last` if nothing waits behind it. */
  shows(step: Shown, last: boolean): void;
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
};

/** The position shown is never further behind than this. */
const BEHIND = 1_500;
const CALM = 120;
/** So many steps can be shown again, the first of them after a moment, none for less than a glance. */
const KEPT = 24;
const MOMENT = 400;
const GLANCE = 250;

export class Playback {
  shown = $state.raw<Shown>(NOTHING);

  private queue = $state.raw<Shown[]>([]);
  private repeating = $state(false);
  private past: Shown[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private shownAt = 0;
  private heardAt = 0;

  constructor(private readonly pace: Pace) {}

  /** Nothing is waiting to be shown. */
  get settled(): boolean {
    return this.queue.length === 0 && !this.repeating;
  }

  /** How things stand, with nothing to act out. What waited is forgotten. */
  begin(now: Shown): void {
    this.stop();
    this.queue = [];
    this.repeating = false;
    this.shown = now;
    this.past = [now];
  }

  /** One step more: shown when its turn comes, or `at once` with all that waits before it. */
  add(step: Shown, atOnce: boolean): void {
    this.heardAt = Date.now();
    const idle = this.settled;
    this.queue = [...this.queue, step];
    if (atOnce) this.skip();
    else if (idle) this.soon();
  }

  /** Do not wait: show how things stand. */
  skip(): void {
    this.stop();
    if (this.repeating) {
      this.repeating = false;
      const last = this.past.at(-1);
      if (last) this.shown = { ...last, events: [] };
    }
    while (this.queue.length > 1) this.take();
    this.next();
  }

  /** Show again what happened since `seat` acted last. */
  again(seat: number | null): void {
    if (!this.settled || this.past.length < 2) return;
    let from = this.past.length - 1;
    while (from > 0 && !(this.past[from - 1]?.actor === seat && from < this.past.length - 1)) from--;
    const before = this.past[Math.max(0, from - 1)];
    if (before) this.shown = { ...before, events: [] };
    this.repeating = true;
    const steps = this.past.slice(from);
    this.timer = setTimeout(() => this.repeat(steps), MOMENT);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private repeat([step, ...rest]: Shown[]): void {
    if (!step) {
      this.repeating = false;
      this.next(); // something may have happened meanwhile
      return;
    }
    this.shown = step;
    this.timer = setTimeout(() => this.repeat(rest), Math.max(GLANCE, this.pace.pause(step.events)));
  }

  /** Show the next step once the one on the screen has been seen long enough. */
  private soon(): void {
    const since = Date.now() - this.shownAt;
    this.timer = setTimeout(() => this.next(), Math.max(0, Math.min(this.wanted(this.shown), BEHIND) - since));
  }

  private next(): void {
    this.stop();
    const step = this.take();
    if (!step) return;
    const waiting = this.queue.length;
    this.pace.shows(step, waiting === 0);
    if (waiting === 0) return;
    const left = Math.max(0, this.heardAt + BEHIND - Date.now());
    this.timer = setTimeout(() => this.next(), Math.min(this.wanted(step), left / waiting));
  }

  private wanted(step: Shown): number {
    return this.pace.calm() ? CALM : this.pace.pause(step.events);
  }

  private take(): Shown | undefined {
    const [step, ...rest] = this.queue;
    if (!step) return undefined;
    this.queue = rest;
    this.shown = step;
    this.shownAt = Date.now();
    this.past = [...this.past, step].slice(-KEPT);
    return step;
  }
}
