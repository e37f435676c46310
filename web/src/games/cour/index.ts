/** Dans la cour d'école on the page. */
import { choices } from "./choices";
import { pause, sound, urgent } from "./motion";
import OpenHand from "./OpenHand.svelte";
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
  choices,
  pause,
  urgent,
  sound,
};
