/** The games of the page: a folder each, loaded when it is first needed. */
import type { GamePage } from "../games/contract";

const PAGES = import.meta.glob<{ page: GamePage }>(["../games/*/index.ts", "!../games/plain/*"]);

export async function gamePage(game: string): Promise<GamePage> {
  const load = PAGES[`../games/${game}/index.ts`] ?? (() => import("../games/plain"));
  return (await load()).page;
}
