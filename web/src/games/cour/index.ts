/** Dans la cour d'école on the page. */
import { choices } from "./choices";
import OpenHand from "./OpenHand.svelte";
import { feats } from "./feats";
import { goal } from "./goal";
import { marks } from "./marks";
import { place } from "./place";
import { lines, pause, sound, together, told, urgent } from "./motion";
import Score from "./Score.svelte";
import SeatFacts from "./SeatFacts.svelte";
import Stage from "./Stage.svelte";
import "./tokens.css";
import type { GamePage } from "./view";

export const page: GamePage = {
  secrets: true,
  seatsOnStage: true,
  Stage,
  SeatFacts,
  OpenHand,
  Score,
  counts: true,
  choices,
  marks,
  place,
  goal,
  told,
  feats,
  pause,
  urgent,
  together,
  lines,
  sound,
  trial: { needed: ({ reaction }) => reaction === "live", load: () => import("./TrialRace.svelte") },
};
