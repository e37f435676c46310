/** The tables this device has a seat at, and the tokens that open them. */
import { load, onSaved, save } from "./local-storage";
import type { Seated, TableInfo } from "../net/protocol";

export interface MyTable {
  id: string;
  token: string;
  game: string;
  code: string;
  seats: number[];
  names: string[];
  status: TableInfo["status"];
  /** One of the own seats is asked. */
  turn: boolean;
  /** When this device came to it. */
  time: number;
  /** How it ended, once it is over and this device has loaded the result. */
  result?: Outcome;
}

/** The end of a game in short. */
export interface Outcome {
  scores: number[];
  /** Groups of seats, best first. */
  ranking: number[][];
  /** When it ended. */
  time?: number;
}

/** Seats that were left for good at this device. The token brings them back until another player takes them. */
export type LeftTable = Pick<MyTable, "id" | "token" | "seats">;

const KEPT = 30;

class MyTables {
  list = $state<MyTable[]>(load<MyTable[]>("tables", []));
  left = $state<LeftTable[]>(load<LeftTable[]>("left", []));

  constructor() {
    onSaved("tables", () => (this.list = load<MyTable[]>("tables", [])));
    onSaved("left", () => (this.left = load<LeftTable[]>("left", [])));
  }

  get(id: string): MyTable | undefined {
    return this.list.find((one) => one.id === id);
  }

  token(id: string): string | undefined {
    return this.get(id)?.token;
  }

  /** The seats of a table that were left at this device. */
  leftSeats(id: string): LeftTable | undefined {
    return this.left.find((one) => one.id === id);
  }

  /** Give up the seats at a table, but keep their token. */
  leave({ id, token, seats }: LeftTable): void {
    this.forget(id);
    this.writeLeft([{ id, token, seats }, ...this.left.filter((one) => one.id !== id)].slice(0, KEPT));
  }

  /** Store the token and the seats that the server gave out; it does so only once. */
  keep(seated: Seated): void {
    this.writeLeft(this.left.filter((one) => one.id !== seated.table.id));
    this.put({ ...this.fresh(seated.table), token: seated.token, seats: seated.seats });
  }

  /** A rematch opens with the same token. */
  follow(from: string, table: TableInfo): void {
    const old = this.get(from);
    if (old && !this.get(table.id)) this.put({ ...this.fresh(table), token: old.token, seats: old.seats });
  }

  /** Games that are not over: those that wait for this device come first. */
  get underWay(): MyTable[] {
    const open = this.list.filter((one) => one.status !== "over");
    return open.toSorted((one, other) => Number(other.turn) - Number(one.turn));
  }

  /** How many of them wait for this device. */
  get waiting(): number {
    return this.list.filter((one) => one.turn && one.status === "playing").length;
  }

  get finished(): MyTable[] {
    return this.list.filter((one) => one.status === "over");
  }

  /** Whether a game of this kind was finished on this device; the table `besides` does not count. */
  hasFinished(game: string | undefined, besides = ""): boolean {
    return this.finished.some((one) => one.id !== besides && one.game === game);
  }

  note(id: string, change: Partial<MyTable>): void {
    const one = this.get(id);
    if (one) this.put({ ...one, ...change });
  }

  forget(id: string): void {
    this.write(this.list.filter((one) => one.id !== id));
  }

  forgetAll(): void {
    this.write([]);
    this.writeLeft([]);
  }

  private fresh(table: TableInfo): MyTable {
    return {
      id: table.id,
      token: "",
      game: table.game,
      code: table.code,
      seats: [],
      names: [],
      status: table.status,
      turn: false,
      time: Date.now(),
    };
  }

  private put(one: MyTable): void {
    const others = this.list.filter((other) => other.id !== one.id);
    this.write([one, ...others].toSorted((first, second) => second.time - first.time).slice(0, KEPT));
  }

  private write(list: MyTable[]): void {
    this.list = list;
    save("tables", list);
  }

  private writeLeft(list: LeftTable[]): void {
    this.left = list;
    save("left", list);
  }
}

export const myTables = new MyTables();
