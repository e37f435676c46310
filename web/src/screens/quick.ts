/** Tables that need no questions: what "play now" means for each game. */
import { api } from "../lib/api";
import { gamePage } from "../lib/games";
import { mine } from "../lib/mine.svelte";
import { go } from "../lib/router.svelte";
import { settings } from "../lib/settings.svelte";
import { gameTexts } from "../lib/words.svelte";
import type { Json, NewTable, SeatWish } from "../lib/wire";

interface Usual {
  seats: number;
  level: string;
  options: Json;
}

const PLAIN: Usual = { seats: 4, level: "normal", options: {} };

const USUAL: { readonly [game: string]: Usual } = {
  recess: { ...PLAIN, seats: 3 },
  bagarre: PLAIN,
  // C22: at a live table the fastest hand is the fastest hand, not a draw
  cour: { ...PLAIN, options: { reaction: "live" } },
};

/** The games in the order they are offered in. */
export const GAMES = Object.keys(USUAL);

export function usual(game: string): Usual {
  return USUAL[game] ?? PLAIN;
}

/** One's own seat; without a name the server finds one. */
export function me(name: string): SeatWish {
  return name.trim() ? { kind: "me", name: name.trim() } : { kind: "me" };
}

export function quickTable(game: string, name: string): NewTable {
  const { seats, level, options } = usual(game);
  const bots = Array.from({ length: seats - 1 }, (): SeatWish => ({ kind: "bot", level }));
  return { game, seats: [me(name), ...bots], options, start: true };
}

/** A game against bots, at once. */
export async function playNow(game: string): Promise<void> {
  await sitDown(quickTable(game, settings.name));
}

/** Make a table and go there. */
export async function sitDown(wish: NewTable): Promise<void> {
  const seated = await api.make(wish);
  mine.keep(seated);
  go(`/t/${seated.table.id}`);
}

/** Load what a game needs while the finger is still on its way; that it fails matters only later. */
export function warmUp(game: string): void {
  const nothing = () => undefined;
  gamePage(game).catch(nothing);
  gameTexts(game, settings.language).catch(nothing);
  import("./Table.svelte").catch(nothing);
}
