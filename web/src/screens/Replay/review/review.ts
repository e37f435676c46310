/** A review beside a replay: which step is which, what is worth saying where, and the curve of the chances. */
import type { Decision, Review, Turning } from "../../../lib/net/protocol";

/** The actor of what happens by chance. */
const CHANCE = -1;
/** So many standard errors to either side hold what is true with 95 % confidence. */
const Z95 = 1.96;

/**
 * How many actions of the record are done after each step of the replay: a review counts all of them, the replay has
 * what chance did in the step before it.
 */
export function ends(actors: readonly number[]): number[] {
  const found = [0];
  for (const actor of actors) {
    const done = found.at(-1) ?? 0;
    if (actor === CHANCE) found[found.length - 1] = done + 1;
    else found.push(done + 1);
  }
  return found;
}

/** The step of the replay with which an action of the record was done. */
export function stepOf(action: number, ends: readonly number[]): number {
  return ends.findIndex((done) => done > action);
}

/** Something in a game that is worth stopping at. */
export interface Point {
  /** The step of the replay to look at: the one before a choice, when it was still open; the one of anything else. */
  at: number;
  /** A choice that was beyond doubt not the best. */
  decision: Decision | null;
  turning: Turning | null;
}

/** All of a game, in its order. */
export function points({ decisions, turning }: Review, ends: readonly number[]): Point[] {
  const clear = new Map(decisions.filter(isClear).map((one) => [one.step, one]));
  const turned = new Map(turning.map((one) => [one.step, one]));
  const steps = [...new Set([...clear.keys(), ...turned.keys()])].toSorted((one, other) => one - other);
  return steps.map((step) => {
    const [decision, turning] = [clear.get(step) ?? null, turned.get(step) ?? null];
    const chosen = decision !== null || turning?.cause === "choice";
    return { at: Math.max(0, stepOf(step, ends) - (chosen ? 1 : 0)), decision, turning };
  });
}

/** Whether the interval leaves no doubt. */
function isClear({ called }: Decision): boolean {
  return called === "inaccuracy" || called === "mistake";
}

/** From and to, in points of a chance, that is in hundredths. */
export interface Span {
  low: number;
  high: number;
}

export function span(low: number, high: number): Span {
  const within = (value: number): number => Math.round(100 * Math.min(1, Math.max(0, value)));
  return { low: within(low), high: within(high) };
}

/** How much a turning point has changed. */
export function changed({ change, error }: Turning): Span {
  return span(Math.abs(change) - Z95 * error, Math.abs(change) + Z95 * error);
}

/** What a standard error leaves open to either side, in points, rounded up. */
export function doubt(error: number): number {
  return Math.ceil(100 * Z95 * error);
}

/** A box for a curve: how wide and high, and how much of it stays free on every side. */
export interface Frame {
  width: number;
  height: number;
  margin: number;
}

export interface Spot {
  x: number;
  y: number;
}

/** Where a chance after a step stands in the box; the step `last` is at its right end. */
export function spot(step: number, chance: number, last: number, { width, height, margin }: Frame): Spot {
  const along = last > 0 ? step / last : 0;
  return {
    x: round(margin + along * (width - 2 * margin)),
    y: round(margin + (1 - chance) * (height - 2 * margin)),
  };
}

/** The step that is nearest to a place along the box. */
export function stepAt(x: number, last: number, { width, margin }: Frame): number {
  const along = (x - margin) / Math.max(1, width - 2 * margin);
  return Math.round(Math.min(1, Math.max(0, along)) * last);
}

/** One seat's line through the box. */
export function line(chances: readonly number[], frame: Frame): string {
  const spots = chances.map((chance, step) => spot(step, chance, chances.length - 1, frame));
  return spots.map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${x} ${y}`).join("");
}

/** The steps at which a seat's sign stands on its line: a few, and not those of the others. */
export function signs(seat: number, seats: number, last: number, each = 3): number[] {
  const found = Array.from({ length: each }, (_, at) =>
    Math.round((last * (at * seats + seat + 0.5)) / (each * seats)),
  );
  return [...new Set(found)];
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
