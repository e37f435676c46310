/** Where a replay comes from: the game of a table, or a file. */
import { api } from "../../lib/net/api";
import { gameInfo } from "../../lib/catalogue/games";
import type { GameFile } from "../../lib/results/game-file";
import { myTables, type Outcome } from "../../lib/device/my-tables.svelte";
import { seatNames } from "../../lib/text/seat-names";
import { shortenName } from "../../lib/text/shorten-name";
import { forks } from "../../lib/results/forks.svelte";
import { say } from "../../lib/text/words.svelte";
import type { Json, Origin, PlayOn, Replay, ReviewInfo, SeatInfo } from "../../lib/net/protocol";

/** What is known of a game before its first step is shown. */
export interface Opened {
  game: string;
  names: string[];
  /** The viewer's own seats. */
  own: number[];
  /** Who acted, in the order of the record. */
  actors: number[];
  /** How it ended; a file may break off before. */
  result: Json | null;
  /** Where this game was played on from. */
  origin: Origin | null;
}

export interface ReplaySource {
  /** Its id in the address, and the name under which its forks are stored. */
  readonly id: string;
  /** What a new table is played on from. */
  readonly from: Pick<PlayOn, "table" | "record" | "position">;
  open(): Promise<Opened>;
  replay(seat: number | null, first: number, count: number): Promise<Replay>;
  askReview(): Promise<ReviewInfo>;
  /** How a review stands that was asked for. */
  review(name: string): Promise<ReviewInfo>;
}

export class TableGame implements ReplaySource {
  readonly from;

  constructor(readonly id: string) {
    this.from = { table: id };
  }

  async open(): Promise<Opened> {
    const { game, seats, origin = null } = await api.table(this.id);
    const { result, actions } = await api.record(this.id);
    forks.end(this.id, result as unknown as Outcome);
    const own = myTables.get(this.id)?.seats ?? [];
    return { game, names: named(seats), own, actors: actions.map(([actor]) => actor), result, origin };
  }

  replay(seat: number | null, first: number, count: number): Promise<Replay> {
    return api.replay(this.id, seat, first, count);
  }

  askReview(): Promise<ReviewInfo> {
    return api.askReview(this.id);
  }

  review(): Promise<ReviewInfo> {
    return api.review(this.id);
  }
}

export class FileGame implements ReplaySource {
  readonly id;
  readonly from;

  constructor(readonly file: GameFile) {
    this.id = file.id;
    this.from = file.position ? { position: file.record["start"] as Json } : { record: file.record };
  }

  /** The server checks the file before anything of it is used. */
  async open(): Promise<Opened> {
    await this.replay(null, 0, 1);
    const { game, seats, actions, result = null, meta } = this.file.record;
    const names = Array.isArray(meta?.["names"]) ? (meta["names"] as unknown[]) : [];
    const sitting = Array.from({ length: seats }, (_, seat) => seatOf(game, seat, names[seat]));
    const actors = actions.map(([actor]) => actor);
    return { game, names: named(sitting), own: [], actors, result, origin: null };
  }

  replay(seat: number | null, first: number, count: number): Promise<Replay> {
    return api.replayFile({ record: this.file.record, seat, first, count });
  }

  askReview(): Promise<ReviewInfo> {
    return api.askFileReview(this.file.record);
  }

  review(name: string): Promise<ReviewInfo> {
    return api.fileReview(name);
  }
}

const named = (seats: SeatInfo[]): string[] => seatNames(seats, (seat) => say("app.seat", { number: seat + 1 }));

/** Who sat there: records name bots by how well they play. */
function seatOf(game: string, seat: number, name: unknown): SeatInfo {
  if (typeof name !== "string") return { seat, kind: "open" };
  const bot = gameInfo(game)?.bots.includes(name) ?? false;
  return bot ? { seat, kind: "bot", level: name } : { seat, kind: "person", name: shortenName(name) };
}
