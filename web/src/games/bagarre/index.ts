/** La grande bagarre on the page. */
import type { GamePage } from "../contract";
import { withNames } from "./cards";
import { choices } from "./choices";
import { pause, sound } from "./pace";
import Score from "./Score.svelte";
import SeatFacts from "./SeatFacts.svelte";
import Stage from "./Stage.svelte";
import { viewOf } from "./view";
import "./tokens.css";

export const page: GamePage = {
  secrets: true,
  seatsOnStage: true,
  Stage,
  SeatFacts,
  Score,
  texts: (texts, view) => withNames(texts, viewOf(view)),
  choices,
  pause,
  sound,
};
