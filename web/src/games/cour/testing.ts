/** Scenes for the tests of this folder: a table of four, as Zoé sees it. */
import english from "../../../../src/preau/games/cour/texts/en.json";
import { Texts } from "../../lib/text/messages";
import { sceneOf } from "../shared/testing";
import type { Shapes } from "./shapes";
import type { Scene, View } from "./view";

export const NAMES = ["Zoé", "Malo", "Inès", "Tom"];

export function view(change: Partial<View> = {}): View {
  return {
    game: "cour",
    rules: "1",
    seats: 4,
    seat: 0,
    options: { first: 0, pile: "queue", slap_pick: "blind", reaction: "off", agent_min: 2, cards: "reconstructed" },
    turn: 1,
    round: 1,
    active: 0,
    phase: "keep",
    step: "keep",
    to_keep: 1,
    ending: false,
    characters: ["boss", "hidden", "hidden", "hidden"],
    hands: [{}, null, null, null],
    sizes: [0, 0, 0, 0],
    memory: NAMES.map(() => ({ sure: {}, unsure: 0 })),
    pool: {},
    under: [],
    open: [],
    kings: [0, 0, 0, 0],
    friends: [[], [], [], []],
    pot: null,
    pot_waits: false,
    chestnut_man: null,
    event: null,
    choices: [null, null, null, null],
    draws: 0,
    gainer: null,
    victim: null,
    ledger: [],
    prompt: { key: "prompt.keep", seats: [0], cards: [], n: 1 },
    ...change,
  };
}

export function scene(part: Partial<Scene> = {}): Scene {
  const seen = part.view ?? view();
  return sceneOf<Shapes>(seen, seen.prompt, { names: NAMES, texts: new Texts("en", english, NAMES), ...part });
}
