/** Progress with puzzles as plain data and functions. Nothing is stored here. */
import type { PuzzleInfo } from "../net/protocol";

export interface Tried {
  /** Solved alone, with a hint or after its solution was seen, or not yet. */
  how: "solved" | "helped" | "failed";
  /** The day of it, as `2026-11-17`. */
  day: string;
  /** Its solution was seen before it was solved. */
  shown?: boolean;
}

/** What is kept on the device. */
export interface Kept {
  games: { [game: string]: { [id: string]: Tried } };
  /** So many were solved one after the other without help or a wrong try; the longest such row. */
  run: number;
  best: number;
}

export interface Streak {
  days: number;
  run: number;
  best: number;
}

/** How an attempt ended: solved alone, solved with help, failed, or the solution was asked for. */
export type Outcome = "solved" | "helped" | "wrong" | "shown";

export const NOTHING: Kept = { games: {}, run: 0, best: 0 };

export const isSolved = (tried: Tried | undefined): boolean => tried?.how === "solved" || tried?.how === "helped";

/** The progress after an attempt. A solved puzzle stays solved, with its day, and counts in no other row. */
export function noted(kept: Kept, game: string, id: string, outcome: Outcome, day: string): Kept {
  const before = kept.games[game]?.[id];
  if (isSolved(before)) return kept;
  const shown = before?.shown ?? false;
  const alone = outcome === "solved" && !shown;
  const how = alone ? "solved" : outcome === "wrong" || outcome === "shown" ? "failed" : "helped";
  const tried: Tried = shown || outcome === "shown" ? { how, day, shown: true } : { how, day };
  const run = alone && !before ? kept.run + 1 : alone ? kept.run : 0;
  return {
    games: { ...kept.games, [game]: { ...kept.games[game], [id]: tried } },
    run,
    best: Math.max(kept.best, run),
  };
}

const WORTH = { solved: 2, helped: 1, failed: 0 };

/** The better of two attempts at the same puzzle; of equal ones the earlier. */
function better(one: Tried | undefined, other: Tried): Tried {
  if (!one) return other;
  const ahead = WORTH[one.how] - WORTH[other.how] || other.day.localeCompare(one.day);
  return ahead >= 0 ? one : other;
}

/** What is kept here with what comes from another device: nothing that was solved is lost. */
export function merged(kept: Kept, others: Kept): Kept {
  const games = { ...kept.games };
  for (const [game, tried] of Object.entries(others.games)) {
    const own = { ...games[game] };
    for (const [id, one] of Object.entries(tried)) own[id] = better(own[id], one);
    games[game] = own;
  }
  return { games, run: kept.run, best: Math.max(kept.best, others.best) };
}

/** How many days in a row, up to today or yesterday, something was solved. */
export function daysInRow(kept: Kept, today: string): number {
  const all = Object.values(kept.games).flatMap((one) => Object.values(one));
  const days = new Set(all.filter(isSolved).map(({ day }) => day));
  let at = days.has(today) ? today : before(today);
  let count = 0;
  for (; days.has(at); at = before(at)) count++;
  return count;
}

/** The day before a day. */
function before(day: string): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

/** A moment's day where this device is. */
export function dayOf(moment: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/**
 * What to solve next: untried before failed, easy before difficult, and of the themes that of which least was tried.
 * Only one about `theme`, if that is one; never the one at hand. Undefined once all are solved.
 */
export function nextOf(
  all: readonly PuzzleInfo[],
  tried: { [id: string]: Tried },
  theme = "",
  at = "",
): PuzzleInfo | undefined {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one.theme, (counts.get(one.theme) ?? 0) + Number(one.id in tried));
  const order = (one: PuzzleInfo) => [Number(one.id in tried), one.difficulty, counts.get(one.theme) ?? 0];
  return all
    .filter((one) => !isSolved(tried[one.id]) && one.id !== at && (!theme || one.theme === theme))
    .map((one) => ({ one, order: order(one) }))
    .sort((a, b) => a.order.map((n, place) => n - (b.order[place] ?? 0)).find((n) => n !== 0) ?? 0)[0]?.one;
}
