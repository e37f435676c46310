/** The coins of every seat, turn by turn, from the views of a whole game. */
import type { View } from "./shapes";

export interface Curve {
  seat: number;
  /** The coins at the beginning, and at the end of every turn. */
  coins: number[];
}

export function curves(story: Pick<View, "turn" | "coins">[]): Curve[] {
  const [first] = story;
  if (!first) return [];
  // the last view of a turn is how it ended; turns count from 1
  const ends = new Map(story.map((view) => [view.turn, view.coins]));
  return first.coins.map((coins, seat) => ({
    seat,
    coins: [coins, ...[...ends.values()].map((all) => all[seat] ?? 0)],
  }));
}
