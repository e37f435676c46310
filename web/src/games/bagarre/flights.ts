/** What flies over the table in a step: cards and marbles, from spot to spot, told from the events. */
import type { Flight } from "../shared/flights.svelte";
import { HIDDEN, type Event } from "./view";

/**
 * Places on the table: `pile`, `discard`, `middle` and in it `tale`, `stake` (what is fought for) and `down:2` (a seat's
 * card); `hand:2`, `jar:2`, `toy:T07`; one's own toys are in `front`, the cards of one's own hand are `held:F3`.
 */
export type Spot = string;

/** A card's id, null for a card seen from behind, or a marble. */
export type Thing = string | null;

export const MARBLE = "marble";
/** Time for cards to be turned and looked at, before what follows from them. */
const REVEAL_MS = 650;
const STAGGER_MS = 70;
const MOST = 14;

export function flights(events: Event[], seat: number | null, seats: number): Flight<Thing>[] {
  const found: Flight<Thing>[] = [];
  let at = 0;
  const fly = (thing: Thing, from: Spot[], to: Spot[]): void => {
    found.push({ thing, from, to, at });
    at += STAGGER_MS;
  };
  /** Out of a hand: one's own cards lie open, of the others' only the hand is to be seen. */
  const held = (event: { seat: number; card: string }): Spot[] => {
    const hand = `hand:${event.seat}`;
    return event.seat === seat ? [`held:${event.card}`, hand] : [hand];
  };
  for (const event of events) {
    switch (event.key) {
      case "draw":
        if (event.card === HIDDEN) fly(null, ["pile"], [`hand:${event.seat}`]);
        else fly(event.card, ["pile"], [`held:${event.card}`, `hand:${event.seat}`]);
        break;
      case "lay":
        fly(event.card, held(event), [`toy:${event.card}`]);
        break;
      case "discard":
        fly(event.card, held(event), ["discard"]);
        break;
      case "special":
        fly(event.card, held(event), ["tale"]);
        break;
      case "down":
        fly(null, [`hand:${event.seat}`], [`down:${event.seat}`]);
        break;
      case "show":
        at = Math.max(at, REVEAL_MS);
        break;
      case "convert":
      case "marie_edwige":
        fly(event.card, [`toy:${event.card}`], ["discard"]);
        for (let n = 0; n < event.marbles; n++) fly(MARBLE, [`toy:${event.card}`], [`jar:${event.seat}`]);
        break;
      case "surveillant":
        fly(event.card, [`toy:${event.card}`], ["discard"]);
        break;
      case "swap":
        for (const card of [event.card, event.given]) fly(card, [`toy:${card}`], [`toy:${card}`]);
        break;
      case "win_toy":
      case "championne":
        fly(event.card, ["stake", `toy:${event.card}`], [`toy:${event.card}`]);
        break;
      case "bet_won":
        if (event.marbles > 0) fly(MARBLE, [`jar:${event.owner}`], [`jar:${event.seat}`]);
        break;
      case "take_back":
        for (const other of event.seats) fly(null, [`down:${other}`], [`hand:${other}`]);
        break;
      case "bell":
        for (let other = 0; other < seats; other++) fly(null, [`hand:${other}`], [`hand:${(other + 1) % seats}`]);
        break;
      case "reshuffle":
        fly(null, ["discard"], ["pile"]);
        break;
    }
  }
  return found.slice(-MOST);
}
