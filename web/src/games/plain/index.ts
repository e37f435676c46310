/** For a game that nobody has drawn: what its view says, in its own words, and its actions as buttons. */
import type { GamePage } from "../contract";
import { feats } from "./feats";
import { labelOf } from "./fields";
import OpenHand from "./OpenHand.svelte";
import Score from "./Score.svelte";
import SeatFacts from "./SeatFacts.svelte";
import Stage from "./Stage.svelte";

export const page: GamePage = {
  secrets: true,
  seatsOnStage: true,
  Stage,
  SeatFacts,
  OpenHand,
  Score,
  choices: ({ legal, texts }) => ({
    groups: [],
    choices: legal.map((action) => ({ action, label: labelOf(action, texts) })),
  }),
  feats,
  pause: (events) => Math.min(1200, 250 * events.length),
  sound: (events) => (events.length > 0 ? "card" : null),
};
