/** The guide for newcomers: in the first game of a kind, a hint for every new kind of moment, each once. */
import { lessons } from "./lessons.svelte";
import { myTables } from "../device/my-tables.svelte";
import { load, onSaved, save } from "../device/local-storage";

interface Guided {
  /** The player has said that they know the game. */
  known: boolean;
  /** The hints that were shown. */
  seen: string[];
}

/** Stands among the hints that were shown, for the trial race. */
const TRIAL = "trial";

const NOTHING: Guided = { known: false, seen: [] };

class Guide {
  private all = $state<{ [game: string]: Guided }>(load("guide", {}));

  constructor() {
    onSaved("guide", () => (this.all = load("guide", {})));
  }

  /** Whether neither a game of this kind nor its lesson was finished here, and no player said they know it; not counting `table`. */
  wanted(game: string, table = ""): boolean {
    return !myTables.hasFinished(game, table) && !lessons.of(game).done && !this.of(game).known;
  }

  /** Whether a newcomer is still to be offered the trial race of a game; `table` is no game finished before. */
  offersTrial(game: string, table = ""): boolean {
    return !this.saw(game, TRIAL) && !this.of(game).known && !myTables.hasFinished(game, table);
  }

  tried(game: string): void {
    this.show(game, TRIAL);
  }

  saw(game: string, hint: string): boolean {
    return this.of(game).seen.includes(hint);
  }

  show(game: string, hint: string): void {
    if (!this.saw(game, hint)) this.keep(game, { ...this.of(game), seen: [...this.of(game).seen, hint] });
  }

  /** Enough of it. */
  end(game: string): void {
    this.keep(game, { ...this.of(game), known: true });
  }

  private of(game: string): Guided {
    return this.all[game] ?? NOTHING;
  }

  private keep(game: string, guided: Guided): void {
    this.all = { ...this.all, [game]: guided };
    save("guide", this.all);
  }
}

export const guide = new Guide();
