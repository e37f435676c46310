/** What flies over the table in a step: cards and marbles, from spot to spot, told from the events. */
import type { Json } from "../../lib/wire";
import type { Flight } from "../shared/flights.svelte";
import { HIDDEN } from "./view";

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

export function flights(events: Json[], seat: number | null, seats: number): Flight<Thing>[] {
  const found: Flight<Thing>[] = [];
  let at = 0;
  const fly = (thing: Thing, from: Spot[], to: Spot[]): void => {
    found.push({ thing, from, to, at });
    at += STAGGER_MS;
  };
  for (const event of events) {
    const who = Number(event.seat);
    const card = String(event.card);
    const hand = `hand:${who}`;
    const own = who === seat;
    switch (event.key) {
      case "draw":
        if (card === HIDDEN) fly(null, ["pile"], [hand]);
        else fly(card, ["pile"], [`held:${card}`, hand]);
        break;
      case "lay":
        fly(card, own ? [`held:${card}`, hand] : [hand], [`toy:${card}`]);
        break;
      case "discard":
        fly(card, own ? [`held:${card}`, hand] : [hand], ["discard"]);
        break;
      case "special":
        fly(card, own ? [`held:${card}`, hand] : [hand], ["tale"]);
        break;
      case "down":
        fly(null, [hand], [`down:${who}`]);
        break;
      case "show":
        at = Math.max(at, REVEAL_MS);
        break;
      case "convert":
      case "marie_edwige":
        fly(card, [`toy:${card}`], ["discard"]);
        for (let n = 0; n < Number(event.marbles); n++) fly(MARBLE, [`toy:${card}`], [`jar:${who}`]);
        break;
      case "surveillant":
        fly(card, [`toy:${card}`], ["discard"]);
        break;
      case "swap":
        fly(card, [`toy:${card}`], [`toy:${card}`]);
        fly(String(event.given), [`toy:${event.given}`], [`toy:${event.given}`]);
        break;
      case "win_toy":
      case "championne":
        fly(card, ["stake", `toy:${card}`], [`toy:${card}`]);
        break;
      case "bet_won":
        if (Number(event.marbles) > 0) fly(MARBLE, [`jar:${event.owner}`], [`jar:${who}`]);
        break;
      case "take_back":
        for (const other of event.seats as number[]) fly(null, [`down:${other}`], [`hand:${other}`]);
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
