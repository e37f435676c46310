/** The games on offer, as they describe themselves, and how each of them is drawn. The page itself lists none. */
import type { GamePage } from "../../games/contract";
import { api } from "../net/api";
import { typeset } from "../text/messages";
import { settings } from "../device/settings.svelte";
import type { GameInfo, Words } from "../net/protocol";

let offered: GameInfo[] = [];

/** Learn what is on offer: from the page, where the server has put it, or by asking. Done before anything is drawn. */
export async function loadCatalogue(): Promise<void> {
  const written = document.getElementById("games")?.textContent?.trim();
  offered = written ? (JSON.parse(written) as GameInfo[]) : await api.games();
}

/** All games, in the order they are offered in. */
export function games(): readonly GameInfo[] {
  return offered;
}

/** A game by its id; undefined if this server does not have it (any more). */
export function gameInfo(id: string): GameInfo | undefined {
  return offered.find((game) => game.id === id);
}

/** What a game is called; one that is gone goes by its id. */
export function gameTitle(id: string): string {
  const game = gameInfo(id);
  return game ? inWords(game.titles) : id;
}

/** Words of a game in the reader's language. Follows the language wherever a component uses it. */
export function inWords(words: Words): string {
  return typeset(words[settings.language], settings.language);
}

const PAGES = import.meta.glob<{ page: GamePage }>(["../../games/*/index.ts", "!../../games/plain/*"]);

/** How a game is drawn: a folder each, loaded when it is first needed; the plain one for those that have none. */
export async function gamePage(game: string): Promise<GamePage> {
  const load = PAGES[`../../games/${game}/index.ts`];
  if (load) return (await load()).page;
  const { page } = await import("../../games/plain");
  return { ...page, secrets: gameInfo(game)?.secrets ?? true };
}
