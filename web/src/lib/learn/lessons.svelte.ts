/** The player's progress in the lesson of each game, on this device. */
import { load, onSaved, save } from "../device/local-storage";

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

  get everything(): { [game: string]: Progress } {
    return this.all;
  }

  reach(game: string, at: number): void {
    this.keep(game, { ...this.of(game), at });
  }

  finish(game: string): void {
    this.keep(game, { at: 0, done: true });
  }

  /** Progress from another device: the further one counts. */
  merge(others: { [game: string]: Progress }): void {
    for (const [game, { at, done }] of Object.entries(others)) {
      const own = this.of(game);
      this.keep(game, { at: Math.max(own.at, at), done: own.done || done });
    }
  }

  forgetAll(): void {
    this.write({});
  }

  private keep(game: string, progress: Progress): void {
    this.write({ ...this.all, [game]: progress });
  }

  private write(all: { [game: string]: Progress }): void {
    this.all = all;
    save("lessons", all);
  }
}

export const lessons = new Lessons();
