/** Saves the result of a finished game, in the list of the player's tables and in the player's record. */
import type { GamePage } from "../../games/contract";
import { api, Refused } from "../net/api";
import { gameInfo, gamePage } from "../catalogue/games";
import { myTables, type MyTable } from "../device/my-tables.svelte";
import { myRecord } from "./my-record.svelte";
import type { Finished } from "./tally";
import type { Json, TableInfo } from "../net/protocol";

/** What is known of the end besides the result. */
export type ResultDetails = Pick<Finished, "time" | "lasted" | "guided">;

/** A finished game in short, as these seats of this device played it. */
export function summaryOf(
  table: TableInfo,
  own: number[],
  result: Json,
  page: GamePage,
  more: ResultDetails,
): Finished {
  const [seat] = own;
  const feats = own.length === 1 && seat !== undefined ? page.feats?.(result, seat) : undefined;
  return {
    id: table.id,
    game: table.game,
    time: more.time,
    ...(more.lasted !== undefined && { lasted: more.lasted }),
    own,
    scores: result["scores"] as number[],
    ranking: result["ranking"] as number[][],
    levels: table.seats.map(({ kind, level }) => (kind === "person" ? "" : (level ?? ""))),
    ...(table.hinted && { hints: table.hinted }),
    ...(more.guided && { guided: true }),
    ...(hasHouseRules(table) && { house: true }),
    ...(feats && Object.keys(feats).length > 0 && { feats }),
  };
}

/** Something is neither as in the box nor as the game is usually offered; who begins does not matter. */
export function hasHouseRules({ game, options }: TableInfo): boolean {
  const info = gameInfo(game);
  return (info?.options ?? []).some(({ name, type, default: plain }) => {
    const value = options[name];
    return type !== "seat" && value !== undefined && value !== plain && value !== info?.usual.options[name];
  });
}

/** Save the result of a game. Nothing is saved for spectators. */
export function saveResult(table: TableInfo, own: number[], result: Json, page: GamePage, more: ResultDetails): void {
  const { scores, ranking } = result as { scores: number[]; ranking: number[][] };
  if (myTables.get(table.id) && !myTables.get(table.id)?.result)
    myTables.note(table.id, { result: { scores, ranking, time: more.time } });
  if (own.length > 0 && !myRecord.knows(table.id)) myRecord.note(summaryOf(table, own, result, page, more));
}

/** Fetch and save the result of a game whose end was not shown on this device. */
export async function fetchResult({ id, seats }: MyTable, table: TableInfo): Promise<void> {
  const { result, times } = await api.record(id);
  const [time = table.created, first = time] = [times?.at(-1), times?.[0]].map((one) => one ?? undefined);
  saveResult(table, seats, result, await gamePage(table.game), { time, lasted: time - first });
}

/** Games that ended without being written down: those on the list that the record does not know. Whether all are now. */
export async function saveMissedResults(): Promise<boolean> {
  let all = true;
  for (const one of myTables.finished.filter(({ id, time }) => !myRecord.knows(id, time))) {
    try {
      await fetchResult(one, await api.table(one.id));
    } catch (error) {
      all &&= error instanceof Refused && error.status === 404; // the server has forgotten it
    }
  }
  return all;
}
