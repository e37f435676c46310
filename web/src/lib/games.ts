/** The games of the page: a folder each, loaded when it is first needed. */
import type { GamePage } from "../games/contract";

const PAGES = import.meta.glob<{ page: GamePage }>("../games/*/index.ts");

export async function gamePage(game: string): Promise<GamePage> {
  const load = PAGES[`../games/${game}/index.ts`];
  if (!load) throw new Error(`no page for ${game}`);
  return (await load()).page;
}
