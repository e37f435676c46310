/** The player's attempts at the daily challenges, on this device: the table and the result of each. */
import { load, onSaved, save } from "../device/local-storage";

/** How many attempts at a challenge count; the best of them is the result. Later ones are practice. */
export const COUNTED_ATTEMPTS = 3;

export interface Outcome {
  /** The player's own score: more is better. */
  measure: number;
  place: number;
  /** Among so many. */
  of: number;
}

export interface Attempt extends Partial<Outcome> {
  table: string;
  /** The day on which it began, in UTC: on the challenge's own day, or later. */
  begun: string;
}

/** The player's result in the challenge of a game on a day. */
export interface DayResult extends Outcome {
  game: string;
  day: string;
  /** How many of the attempts that count were begun. */
  attempts: number;
  /** One of them was begun on the day itself, and ended. */
  inTime: boolean;
}

export interface Kept {
  [game: string]: { [day: string]: Attempt[] };
}

type Ended = Attempt & Outcome;

const DAY = 86_400_000;

/** The day of a moment, in UTC, as 2026-11-17. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The day so many days after another. */
export function daysAfter(day: string, n: number): string {
  return dayOf(Date.parse(`${day}T00:00:00Z`) + n * DAY);
}

class Challenges {
  private all = $state.raw<Kept>(load<Kept>("challenges", {}));

  constructor() {
    onSaved("challenges", () => (this.all = load<Kept>("challenges", {})));
  }

  /** All attempts at a challenge, oldest first. */
  attempts(game: string, day: string): readonly Attempt[] {
    return this.all[game]?.[day] ?? [];
  }

  /** The best of those that count, if any of them has ended; of equal ones the better place. */
  best(game: string, day: string): Ended | undefined {
    const [best] = this.counting(game, day).toSorted(
      (one, other) => other.measure - one.measure || one.place - other.place,
    );
    return best;
  }

  /** What was reached on all days, the newest first. */
  results(): DayResult[] {
    const days = Object.entries(this.all).flatMap(([game, days]) => Object.keys(days).map((day) => ({ game, day })));
    const found = days.flatMap(({ game, day }) => {
      const best = this.best(game, day);
      if (!best) return [];
      const { measure, place, of } = best;
      const attempts = Math.min(COUNTED_ATTEMPTS, this.attempts(game, day).length);
      return [{ game, day, measure, place, of, attempts, inTime: this.inTime(game, day) }];
    });
    return found.toSorted((one, other) => other.day.localeCompare(one.day) || one.game.localeCompare(other.game));
  }

  /** The games whose challenge of a day was met on that day. */
  metOn(day: string): string[] {
    return Object.keys(this.all).filter((game) => this.inTime(game, day));
  }

  /** On how many days in a row, up to today, a challenge was met on its day; today may still be to come. */
  streak(today = dayOf(Date.now())): number {
    let day = this.metOn(today).length > 0 ? today : daysAfter(today, -1);
    let n = 0;
    for (; this.metOn(day).length > 0; day = daysAfter(day, -1)) n++;
    return n;
  }

  begin(game: string, day: string, table: string, begun: string): void {
    if (!this.attempts(game, day).some((one) => one.table === table)) this.put(game, day, { table, begun });
  }

  /** Store the result of an attempt, also of one that was begun on another device. */
  finish(game: string, day: string, ended: Ended): void {
    const known = this.attempts(game, day).find(({ table }) => table === ended.table);
    if (known?.measure === undefined) this.put(game, day, ended);
  }

  get everything(): Kept {
    return this.all;
  }

  /** Add the attempts of another device: each counts once, in the order in which they began. */
  merge(others: Kept): void {
    const all = { ...this.all };
    for (const [game, days] of Object.entries(others)) {
      const own = { ...all[game] };
      for (const [day, attempts] of Object.entries(days)) own[day] = combined(own[day] ?? [], attempts);
      all[game] = own;
    }
    this.write(all);
  }

  forgetAll(): void {
    this.write({});
  }

  private counting(game: string, day: string): Ended[] {
    return this.attempts(game, day).slice(0, COUNTED_ATTEMPTS).filter(hasEnded);
  }

  private inTime(game: string, day: string): boolean {
    return this.counting(game, day).some(({ begun }) => begun === day);
  }

  private put(game: string, day: string, one: Attempt): void {
    const before = this.attempts(game, day);
    const at = before.findIndex(({ table }) => table === one.table);
    const attempts = at < 0 ? [...before, one] : before.with(at, one);
    this.write({ ...this.all, [game]: { ...this.all[game], [day]: attempts } });
  }

  private write(all: Kept): void {
    this.all = all;
    save("challenges", all);
  }
}

/** The attempts of two devices at the same challenge; of one that both know, the entry with a result. */
function combined(own: readonly Attempt[], others: readonly Attempt[]): Attempt[] {
  const found = new Map(own.map((one) => [one.table, one]));
  for (const one of others) if (found.get(one.table)?.measure === undefined) found.set(one.table, one);
  return [...found.values()].toSorted((one, other) => one.begun.localeCompare(other.begun));
}

export function hasEnded(one: Attempt): one is Ended {
  return one.measure !== undefined;
}

export const challenges = new Challenges();
