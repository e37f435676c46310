/** The puzzles of each game, and which of them were solved on this device. */
import { api } from "../net/api";
import {
  dayOf,
  daysInRow,
  isSolved,
  merged,
  noted,
  NOTHING,
  type Kept,
  type Outcome,
  type Streak,
  type Tried,
} from "./puzzle-progress";
import { load, onSaved, save } from "../device/local-storage";
import type { PuzzleInfo } from "../net/protocol";

const lists = new Map<string, Promise<PuzzleInfo[]>>();

/** All puzzles of a game; loaded once. */
export function puzzleList(game: string): Promise<PuzzleInfo[]> {
  let list = lists.get(game);
  if (!list) {
    list = api.puzzles(game);
    list.catch(() => lists.delete(game));
    lists.set(game, list);
  }
  return list;
}

function kept(): Kept {
  return { ...NOTHING, ...load<Partial<Kept>>("puzzles", {}) };
}

class Puzzles {
  private all = $state.raw<Kept>(kept());

  constructor() {
    onSaved("puzzles", () => (this.all = kept()));
  }

  /** What was tried of a game, by the id of the puzzle. */
  of(game: string): { [id: string]: Tried } {
    return this.all.games[game] ?? {};
  }

  /** How many puzzles of a game were solved, with or without help. */
  solved(game: string): number {
    return Object.values(this.of(game)).filter(isSolved).length;
  }

  /** Days in a row with at least one solved, up to today; how many in a row without help, now and at best. */
  get streak(): Streak {
    return { days: daysInRow(this.all, dayOf(new Date())), run: this.all.run, best: this.all.best };
  }

  get everything(): Kept {
    return this.all;
  }

  note(game: string, id: string, outcome: Outcome): void {
    this.write(noted(this.all, game, id, outcome, dayOf(new Date())));
  }

  /** What was solved on another device. */
  merge(others: Kept): void {
    this.write(merged(this.all, others));
  }

  forgetAll(): void {
    this.write(NOTHING);
  }

  private write(all: Kept): void {
    this.all = all;
    save("puzzles", all);
  }
}

export const puzzles = new Puzzles();
