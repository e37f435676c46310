/** Views for the tests of this folder: an open yard, Zoé to move. */
import english from "../../../../src/preau/games/recess/texts/en.json";
import french from "../../../../src/preau/games/recess/texts/fr.json";
import { Texts } from "../../lib/text/messages";
import { sceneOf } from "../shared/testing";
import type { Options, Shapes } from "./shapes";
import { SIDE, type Scene, type View } from "./view";

/** Questions as they come where nothing was lost. */
export const moveBy = (movement: number): View["prompt"] => ({
  key: "prompt.move",
  seat: 0,
  movement,
  cost: "none",
  lost: 0,
});
export const MOVE_NUN: View["prompt"] = { key: "prompt.nun", seat: 0, cost: "none", lost: 0 };
export const STAY: View["prompt"] = {
  key: "prompt.choose",
  seat: 0,
  child: "b1",
  cell: "e5",
  owner: 1,
  coins: 1,
  movement: 3,
  risk: "none",
};

export const OPEN = ".".repeat(SIDE * SIDE);

const OPTIONS: Options = {
  layout: "standard",
  sections: "standard",
  first: 0,
  turns: 30,
  equal_turns: false,
  exits: "three",
  shove: 8,
  nun_may_stay: false,
};

export function view(changes: Partial<View> = {}): View {
  return {
    game: "recess",
    rules: "1",
    seats: 3,
    seat: 0,
    options: OPTIONS,
    turn: 1,
    active: 0,
    coins: [10, 10, 10],
    children: {},
    nuns: ["a1", "l12"],
    fights: [],
    detention: [],
    prompt: moveBy(3),
    yard: OPEN,
    safety: ["a1", "b1", "a2", "b2", "k11", "l11", "k12", "l12"],
    exits: { boys: ["a1", "b1", "a2"], girls: ["l12", "k12", "l11"] },
    seen: [],
    steps: ["now", "ahead", "ahead", "ahead"],
    losses: {},
    landings: {},
    means: {},
    sights: {},
    ...changes,
  };
}

export function scene(now: View, legal: string[], language: "en" | "fr" = "en"): Scene {
  const texts = new Texts(language, language === "en" ? english : french, ["Zoé", "Max", "Inès"], 0);
  return sceneOf<Shapes>(now, now.prompt, { legal, texts });
}
