/** The view of La grande bagarre as the server sends it (preau/games/bagarre/views.py). */
import type { Json } from "../../lib/wire";

export interface Player {
  marbles: number;
  /** Toys in front, by id. */
  front: string[];
  /** The cards in hand: one's own only. */
  hand?: string[];
  /** The size of another hand. */
  cards?: number;
  /** The own friend face down, or whether there is one. */
  placed: string | boolean | null;
  answer: string | boolean | null;
}

export interface View {
  seats: number;
  seat: number | null;
  options: { goal: number; cards: string | Json };
  turn: number;
  active: number;
  phase: string;
  discard: Record<string, number>;
  pile: number;
  ban: number | null;
  special: string | null;
  given: string | null;
  toy: string | null;
  owner: number | null;
  round: number;
  turned: [number, string][];
  players: Player[];
}

/** In the place of a card or a hand in an event: there is one, but the reader does not know it. */
export const HIDDEN = "hidden";

export function viewOf(data: Json): View {
  return data as unknown as View;
}

export function handSize(player: Player): number {
  return player.hand?.length ?? player.cards ?? 0;
}

/** The seats round the table, from the one on `seat`'s left; for a spectator all of them in order. */
export function others(view: View, seat: number | null): number[] {
  const all = Array.from({ length: view.seats }, (_, step) => ((seat ?? -1) + 1 + step) % view.seats);
  return all.filter((other) => other !== seat);
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
