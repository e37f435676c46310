/** Recess! on the page. */
import { choices } from "./choices";
import { feats } from "./feats";
import { goal } from "./goal";
import { marks } from "./marks";
import { place } from "./place";
import { pause, sound, told } from "./plan";
import Score from "./Score.svelte";
import SeatFacts from "./SeatFacts.svelte";
import Stage from "./Stage.svelte";
import "./tokens.css";
import type { GamePage } from "./view";

export const page: GamePage = {
  secrets: false,
  Stage,
  SeatFacts,
  Score,
  choices,
  marks,
  place,
  goal,
  told,
  feats,
  pause,
  sound,
};
