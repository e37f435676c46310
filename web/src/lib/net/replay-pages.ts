/** Reads a replay in pieces. */
import type { Json, Replay } from "./protocol";

/** The server gives at most so many steps of a replay at a time. */
export const PAGE_SIZE = 50;

/** Every view of a finished game, as everybody saw it. */
export async function fetchViews(replay: (first: number, count: number) => Promise<Replay>): Promise<Json[]> {
  const views: Json[] = [];
  for (let total = 1; views.length < total;) {
    const part = await replay(views.length, PAGE_SIZE);
    views.push(...(part.frames ?? []).map(({ view }) => view));
    total = part.frames?.length ? part.total : 0;
  }
  return views;
}
