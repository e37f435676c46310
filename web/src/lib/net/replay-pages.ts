/** Reads a replay page by page. */
import type { Json, Replay } from "./protocol";

/** The largest number of steps that the server sends at a time. */
export const PAGE_SIZE = 50;

/** Every public view of a finished game. */
export async function fetchViews(replay: (first: number, count: number) => Promise<Replay>): Promise<Json[]> {
  const views: Json[] = [];
  for (let total = 1; views.length < total;) {
    const part = await replay(views.length, PAGE_SIZE);
    views.push(...(part.frames ?? []).map(({ view }) => view));
    total = part.frames?.length ? part.total : 0;
  }
  return views;
}
