/** What the page reads out of a view of La grande bagarre. No rules: only looking. */
import type * as contract from "../contract";
import type { Event, OtherPlayer, OwnPlayer, Shapes, View } from "./shapes";

export type { Event, View };
export type Scene = contract.Scene<Shapes>;
export type GamePage = contract.GamePage<Shapes>;
export type Player = OwnPlayer | OtherPlayer;

/** What stands in an event in the place of a card or hand that one may not see. */
export const HIDDEN = "hidden";

/** The cards in hand: one's own only. */
export function handOf(view: View, seat: number | null): string[] {
  const player = seat === null ? undefined : view.players[seat];
  return player && "hand" in player ? player.hand : [];
}

export function handSize(player: Player): number {
  return "hand" in player ? player.hand.length : player.cards;
}

/** A name for each card in hand that stays the same while the hand changes: the second F3 is `F3#1`. */
export function handKeys(hand: string[]): string[] {
  const seen = new Map<string, number>();
  return hand.map((card) => {
    const count = seen.get(card) ?? 0;
    seen.set(card, count + 1);
    return `${card}#${count}`;
  });
}
