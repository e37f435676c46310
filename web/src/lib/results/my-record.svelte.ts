/** The player's record: all games that were finished on this device, as long as the browser stores them. */
import { EMPTY, has, merged, noted, salvaged, size, type Book } from "./record-book";
import { load, onSaved, save } from "../device/local-storage";
import { addUp, type Finished, type Tally } from "./tally";

const KEY = "record";

interface Kept extends Book {
  /** Everything before it was forgotten, and stays so. */
  since: number;
}

function kept(): Kept {
  const found = load<Partial<Kept> | null>(KEY, null);
  const since = Number(found?.since);
  return { ...salvaged(found), since: Number.isFinite(since) ? since : 0 };
}

class MyRecord {
  private all = $state.raw<Kept>(kept());
  /** The browser lets the page keep things. */
  lasting = $state(true);

  readonly tally: Tally = $derived(addUp(this.all.games, this.all.past));

  constructor() {
    onSaved(KEY, () => (this.all = kept()));
  }

  get book(): Book {
    return { games: this.all.games, past: this.all.past };
  }

  /** Nothing needs to be asked about this table: it is written down, or was forgotten. */
  knows(id: string, time = Infinity): boolean {
    return time < this.all.since || has(this.all, id);
  }

  /** Write a game down; only the first time counts. */
  note(one: Finished): void {
    const now = this.newest();
    if (one.time >= now.since && !has(now, one.id)) this.write({ ...noted(now, one), since: now.since });
  }

  /** Take what comes from another device; how many games are new here. */
  merge(book: Book): number {
    const now = this.newest();
    const all = merged(now, book);
    this.write({ ...all, since: now.since });
    return Math.max(0, size(all) - size(now));
  }

  forgetAll(): void {
    this.write({ ...EMPTY, since: Date.now() });
  }

  /** With what another tab may have written down a moment ago. */
  private newest(): Kept {
    return this.lasting ? kept() : this.all;
  }

  private write(all: Kept): void {
    this.all = all;
    this.lasting = save(KEY, all);
  }
}

export const myRecord = new MyRecord();
