/** La grande bagarre on the page. */
import { withNames } from "./cards";
import { choices } from "./choices";
import { feats } from "./feats";
import { goal } from "./goal";
import { marks } from "./marks";
import { place } from "./place";
import { pause, sound, told } from "./pace";
import OpenHand from "./OpenHand.svelte";
import Score from "./Score.svelte";
import SeatFacts from "./SeatFacts.svelte";
import Stage from "./Stage.svelte";
import type { GamePage } from "./view";
import "./tokens.css";

export const page: GamePage = {
  secrets: true,
  seatsOnStage: true,
  Stage,
  SeatFacts,
  OpenHand,
  Score,
  texts: withNames,
  choices,
  marks,
  place,
  goal,
  told,
  feats,
  pause,
  sound,
};
