/** For a game that nobody has drawn yet: it can be played by its buttons and its log. */
import type { GamePage } from "../contract";
import Nothing from "./Nothing.svelte";
import Stage from "./Stage.svelte";

export const page: GamePage = {
  secrets: true,
  Stage,
  SeatFacts: Nothing,
  Score: Nothing,
  choices: (scene) => ({ groups: [], choices: scene.legal.map((action) => ({ action, label: action })) }),
  pause: () => 250,
  sound: () => null,
};
