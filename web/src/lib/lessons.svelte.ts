/** How far somebody has come in the lesson of each game, on this device. */
import { load, onSaved, save } from "./store";

export interface Progress {
  /** The exercise that comes next, counted from 0. */
  at: number;
  /** All of them were done once. */
  done: boolean;
}

const NOTHING: Progress = { at: 0, done: false };

class Lessons {
  private all = $state<{ [game: string]: Progress }>(load("lessons", {}));

  constructor() {
    onSaved("lessons", () => (this.all = load("lessons", {})));
  }

  of(game: string): Progress {
    return this.all[game] ?? NOTHING;
  }

  reach(game: string, at: number): void {
    this.keep(game, { ...this.of(game), at });
  }

  finish(game: string): void {
    this.keep(game, { at: 0, done: true });
  }

  private keep(game: string, progress: Progress): void {
    this.all = { ...this.all, [game]: progress };
    save("lessons", this.all);
  }
}

export const lessons = new Lessons();
