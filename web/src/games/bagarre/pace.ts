/** How long a step wants to be seen, and what it sounds like. */
import type { Sound } from "../contract";
import type { Event } from "./view";

/** By event; the longest of a step counts. */
const PAUSES: Partial<Record<Event["key"], number>> = {
  show: 1200,
  maman: 1200,
  win_toy: 1200,
  keep_toy: 1200,
  championne: 1100,
  bet_won: 1200,
  bet_tie: 1100,
  tie: 1200,
  bell: 1100,
  special: 1000,
  marie_edwige: 1000,
  surveillant: 1000,
  swap: 1000,
  fight: 900,
  general_fight: 900,
  challenge: 900,
  convert: 800,
  lay: 750,
  discard: 600,
  no_friend: 600,
  down: 350,
  draw: 300,
  answer: 150,
};

/** The first that happened gives the sound. */
const SOUNDS: [Sound, Event["key"][]][] = [
  ["win", ["end"]],
  ["bell", ["bell"]],
  ["whistle", ["surveillant"]],
  ["slap", ["maman"]],
  ["thud", ["win_toy", "keep_toy", "tie", "championne", "fight", "general_fight"]],
  ["kiss", ["marie_edwige"]],
  ["coin", ["convert", "bet_won"]],
  ["card", ["lay", "discard", "special", "down", "show", "take_back", "swap", "draw"]],
];

export function pause(events: Event[]): number {
  return events.reduce((longest, event) => Math.max(longest, PAUSES[event.key] ?? 0), 0);
}

export function sound(events: Event[]): Sound | null {
  const keys = new Set(events.map((event) => event.key));
  return SOUNDS.find(([, causes]) => causes.some((key) => keys.has(key)))?.[0] ?? null;
}
