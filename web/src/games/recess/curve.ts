/** The coins of every seat, turn by turn, from the views of a whole game. */
import type { Json } from "../../lib/wire";
import { read } from "./view";

export interface Curve {
  seat: number;
  /** The coins at the beginning, and at the end of every turn. */
  coins: number[];
}

export function curves(story: Json[]): Curve[] {
  const views = story.map(read);
  const first = views[0];
  if (!first) return [];
  // the last view of a turn is how it ended; turns count from 1
  const ends = new Map(views.map((view) => [view.turn, view.coins]));
  return first.coins.map((coins, seat) => ({
    seat,
    coins: [coins, ...[...ends.values()].map((all) => all[seat] ?? 0)],
  }));
}
