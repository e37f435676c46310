/** Forks: tables on this device that were played on from a step of a finished game, or of another fork. */
import { myTables, type Outcome } from "../device/my-tables.svelte";
import { load, onSaved, save } from "../device/local-storage";

export interface Fork {
  table: string;
  /** The table or file whose game it was played on from, and after which step. */
  from: string;
  step: number;
  /** The seat that played on: what it did not know was drawn anew. */
  eyes?: number;
  /** The own seats, and what all are called. */
  own: number[];
  names: string[];
  result?: Outcome;
}

/** A fork, and the forks made from it. */
export interface Branch {
  fork: Fork;
  branches: Branch[];
}

/** The newest are kept. */
export const KEPT = 100;

/** The forks of a table, in the order of its steps; of the same step, the oldest first. */
export function tree(all: readonly Fork[], root: string): Branch[] {
  const own = all.filter(({ from }) => from === root).toSorted((one, other) => one.step - other.step);
  const others = all.filter(({ from }) => from !== root); // nothing is met twice, whatever the store holds
  return own.map((fork) => ({ fork, branches: tree(others, fork.table) }));
}

/** The game from which a fork was made first, over however many other forks. */
export function rootOf(all: readonly Fork[], table: string): string {
  const found = all.find((one) => one.table === table);
  return found
    ? rootOf(
        all.filter((one) => one !== found),
        found.from,
      )
    : table;
}

class Forks {
  all = $state.raw<readonly Fork[]>(load<Fork[]>("tries", []));

  constructor() {
    onSaved("tries", () => (this.all = load<Fork[]>("tries", [])));
  }

  keep(fork: Fork): void {
    this.write([...this.all.filter(({ table }) => table !== fork.table), fork].slice(-KEPT));
  }

  /** How a fork ended, if this device has loaded its result. */
  ended(fork: Fork): Outcome | undefined {
    return fork.result ?? myTables.get(fork.table)?.result;
  }

  /** Remember how those ended that have: the list of games is shorter. */
  catchUp(): void {
    const missed = this.all.filter((one) => !one.result && this.ended(one));
    if (missed.length > 0) this.write(this.all.map((one) => (missed.includes(one) ? this.withResult(one) : one)));
  }

  /** Store the result of a fork. */
  end(table: string, result: Outcome): void {
    if (this.all.some((one) => one.table === table && !one.result))
      this.write(this.all.map((one) => (one.table === table ? { ...one, result } : one)));
  }

  private withResult(one: Fork): Fork {
    const result = this.ended(one);
    return result ? { ...one, result } : one;
  }

  private write(all: readonly Fork[]): void {
    this.all = all;
    save("tries", all);
  }
}

export const forks = new Forks();
