/** How long a step wants to be seen, what of it is told in words, and what it sounds like. */
import type { Sound } from "../contract";
import { HIDDEN, type Event } from "./view";

/** Milliseconds for each card that is turned, and for the sentence that goes with them. */
const A_CARD = 1000;
const A_SENTENCE = 1000;
const LONGEST = 4000;

/** By event; the longest of a step counts. */
const PAUSES: Partial<Record<Event["key"], number>> = {
  maman: 2600,
  win_toy: 2400,
  keep_toy: 2400,
  championne: 2400,
  bell: 2200,
  swap: 2200,
  special: 2000,
  marie_edwige: 2000,
  surveillant: 2000,
  claim: 2000,
  general_fight: 2000,
  fight: 1800,
  challenge: 1800,
  convert: 1500,
  no_friend: 1300,
  end: 1200,
  lay: 1100,
  discard: 1000,
  reshuffle: 600,
  down: 450,
  draw: 250,
};

/** Worth a sentence, most telling first. What is left out shows on the table, or tells nothing. */
const TOLD: Event["key"][] = [
  "win_toy",
  "keep_toy",
  "maman",
  "championne",
  "bet_won",
  "bet_tie",
  "tie",
  "convert",
  "marie_edwige",
  "swap",
  "surveillant",
  "bell",
  "ban",
  "claim",
  "general_fight",
  "fight",
  "challenge",
  "special",
  "forfeit",
  "no_friend",
  "show",
  "lay",
  "discard",
  "end",
  "ban_over",
  "draw",
];

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
  const cards = events.filter((event) => event.key === "show").length;
  if (cards > 0) return Math.min(LONGEST, cards * A_CARD + A_SENTENCE);
  return events.reduce((longest, event) => Math.max(longest, PAUSES[event.key] ?? 0), 0);
}

export function told(events: Event[]): Event[] {
  const rank = (event: Event): number => TOLD.indexOf(event.key);
  return events.filter(worthTelling).sort((one, other) => rank(one) - rank(other));
}

/** What somebody else draws is nobody's business. */
function worthTelling(event: Event): boolean {
  return TOLD.includes(event.key) && !(event.key === "draw" && event.card === HIDDEN);
}

export function sound(events: Event[]): Sound | null {
  const keys = new Set(events.map((event) => event.key));
  return SOUNDS.find(([, causes]) => causes.some((key) => keys.has(key)))?.[0] ?? null;
}
