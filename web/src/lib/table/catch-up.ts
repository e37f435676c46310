/** What the screen shows when the server says how a table stands: the position, and before it the steps that were missed. */
import type { HelloMessage, Moment, Step, StepMessage } from "../net/protocol";
import type { Shown } from "./playback.svelte";

/** What this device knows and shows. */
export interface OnScreen {
  /** The device's own seats. */
  seats: readonly number[];
  /** The seat whose view the message has; null for the public view. */
  viewpoint: number | null;
  /** The viewpoint is another one than before. */
  changed: boolean;
  /** Nothing was known of this table before. */
  first: boolean;
  /** The number of the step that is on the screen, and of the last one that was shown. */
  number: number;
  reached: number;
  /** Everything has been shown for as long as it should be. */
  idle: boolean;
}

export interface CatchUp {
  /** The position to show at once; null if what is on the screen stays there for its time. */
  start: Shown | null;
  /** The start can be shown again together with steps of the public view before it. */
  again: boolean;
  steps: { step: Shown; atOnce: boolean }[];
  /** The number up to which there is nothing left to show; null if steps are still to come. */
  reached: number | null;
}

/** Work out what to show after the server's account of the table. */
export function catchUp(message: HelloMessage, screen: OnScreen): CatchUp {
  const { seats, viewpoint, changed, first, number, idle } = screen;
  const now: Shown = { ...standing(message), events: [], actor: -1, viewpoint };
  const [start, ...opening] = first && seats.length < 2 ? (message.opening ?? []) : [];
  if (start && opening.length > 0) {
    const { events, actor } = opening.at(-1) ?? start;
    const shown = [...opening.slice(0, -1).map((one) => shownAt(one, viewpoint)), { ...now, events, actor }];
    const steps = shown.map((step) => ({ step, atOnce: false }));
    return { start: shownAt(start, viewpoint), again: false, steps, reached: null };
  }
  const missed = missedSteps(message, screen);
  const waits = missed.length > 0 || number === now.number;
  const stays = seats.length > 1 && !changed && !idle && waits;
  const steps = missed.map((one, at) => ({
    step: { ...now, number: one.number, events: one.events, actor: one.actor },
    atOnce: at === 0 && !stays,
  }));
  const reached = !stays && missed.length === 0 ? now.number : null;
  return { start: stays ? null : now, again: true, steps, reached };
}

/**
 * The steps that this device has missed. Several people at one device are shown every step: the opening, and what happened
 * while they passed the device on or the connection was lost. A single player sees only how the table stands.
 */
function missedSteps(message: HelloMessage, { seats, first, reached }: OnScreen): Step[] {
  const log = seats.length > 1 ? (message.log ?? []) : [];
  const seen = first && log.some(({ actor }) => seats.includes(actor)); // they saw it before they came back
  return seen ? [] : log.filter(({ number }) => number > reached);
}

/** The position that a message describes. */
export function standing(message: HelloMessage | StepMessage): Omit<Shown, "events" | "actor" | "viewpoint"> {
  return {
    number: message.number ?? 0,
    view: message.view ?? null,
    prompt: message.prompt ?? {},
    legal: message.legal ?? [],
    toAct: message.to_act ?? [],
    asked: message.asked,
    result: message.result ?? null,
  };
}

/** The position after a step of the opening. */
function shownAt(one: Moment, viewpoint: number | null): Shown {
  const { number, view, prompt, to_act: toAct, events, actor } = one;
  return { number, view, prompt, legal: [], toAct, asked: 0, events, actor, result: null, viewpoint };
}
