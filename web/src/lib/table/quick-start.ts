/** Tables that need no questions: what "play now" means, as each game says it. */
import { api } from "../net/api";
import { gameInfo, gamePage } from "../catalogue/games";
import { guide } from "../learn/guide.svelte";
import { myTables } from "../device/my-tables.svelte";
import { go } from "../navigation/router.svelte";
import { settings } from "../device/settings.svelte";
import { gameTexts, loadWords } from "../text/words.svelte";
import type { GameInfo, NewTable, Seated, SeatWish } from "../net/protocol";

/** The level of bots if the player has not chosen one. */
export function usualLevel(game: string): string {
  return gameInfo(game)?.usual.level ?? "normal";
}

/** The player's own seat; without a name the server finds one. */
export function mySeat(name: string): SeatWish {
  return name.trim() ? { kind: "me", name: name.trim() } : { kind: "me" };
}

/** The level of bots against a newcomer, where a game has such bots. */
const GENTLE = "easy";

export function quickTable({ id, usual, bots: levels }: GameInfo, name: string): NewTable {
  const level = guide.wanted(id) && levels.includes(GENTLE) ? GENTLE : usual.level;
  const bots = Array.from({ length: usual.seats - 1 }, (): SeatWish => ({ kind: "bot", level }));
  return { game: id, seats: [mySeat(name), ...bots], options: usual.options, start: true };
}

/** A game against bots, at once. */
export async function playNow(game: GameInfo): Promise<void> {
  await makeTable(quickTable(game, settings.name));
}

/** Make a table and go there: on this device (`here`), at the server, or by default wherever there is one. */
export async function makeTable(wish: NewTable, here?: boolean): Promise<Seated> {
  const start = wish.start === true && !(await waitsForTrial(wish));
  const seated = await api.make({ ...wish, start }, here);
  myTables.keep(seated);
  go(`/t/${seated.table.id}`);
  return seated;
}

/** Whether a newcomer is first offered the trial race of the game: the table shows it, and begins the game afterwards. */
async function waitsForTrial({ game, seats, options }: NewTable): Promise<boolean> {
  if (!guide.offersTrial(game) || seats.some(({ kind }) => kind === "open")) return false;
  return (await gamePage(game)).trial?.needed(options ?? {}) ?? false;
}

const nothing = () => undefined;

/** Load what a game needs while the user is still pointing at it. A failure is reported only when it is needed. */
export function preloadGame(game: string): void {
  gamePage(game).catch(nothing);
  gameTexts(game, settings.language).catch(nothing);
  preloadTable();
}

/** Load what every table needs. */
function preloadTable(): void {
  import("../../screens/Table/Table.svelte").catch(nothing);
  loadWords(["shared", "Table"]).catch(nothing);
}

/** Preload it at the first sign of activity, so that a visitor who only reads loads nothing more. Returns how to stop waiting. */
export function preloadTableSoon(): () => void {
  const waiting = new AbortController();
  for (const sign of ["pointermove", "pointerdown", "keydown", "scroll"]) {
    addEventListener(
      sign,
      () => {
        waiting.abort();
        preloadTable();
      },
      { passive: true, signal: waiting.signal },
    );
  }
  return () => waiting.abort();
}
