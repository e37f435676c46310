/** Views for the tests of this folder. */
import en from "../../../../src/preau/games/bagarre/texts/en.json";
import { Texts } from "../../lib/text/messages";
import { sceneOf } from "../shared/testing";
import type { Options, OtherPlayer, OwnPlayer, Shapes } from "./shapes";
import type { Scene, View } from "./view";

export const ENGLISH = new Texts("en", en, ["Ann", "Bob", "Cleo"]);

export function own(change: Partial<OwnPlayer> = {}): OwnPlayer {
  return { marbles: 0, front: [], hand: [], placed: null, answer: null, ...change };
}

export function other(change: Partial<OtherPlayer> = {}): OtherPlayer {
  return { marbles: 0, front: [], cards: 5, placed: false, answer: false, ...change };
}

export function options(cards: Options["cards"] = "reconstructed"): Options {
  return { goal: 10, first: 0, cards, may_forfeit: false };
}

/** Three at the table, Ann (seat 0) looks; Bob has a kite (T13) and a bicycle (T25), Cleo nothing. */
export function view(change: Partial<View> = {}): View {
  const hand = ["F3", "F3", "F8", "T07", "cloche", "maman"];
  return {
    game: "bagarre",
    rules: "1",
    seats: 3,
    seat: 0,
    options: options(),
    turn: 4,
    active: 0,
    phase: "action",
    to_act: [0],
    drawer: null,
    filled: 0,
    discard: {},
    pile: 50,
    unseen: {},
    memory: "",
    ban: null,
    special: null,
    given: null,
    limit: 0,
    toy: null,
    owner: null,
    round: 0,
    turned: [],
    players: [own({ hand, front: ["T01"] }), other({ front: ["T13", "T25"] }), other()],
    prompt: { key: "prompt.action", seats: [0], general: ["T25"], maman: true },
    ...change,
  };
}

export function scene(seen: View, legal: string[], picked: string | null = null): Scene {
  return sceneOf<Shapes>(seen, seen.prompt, { legal, seat: seen.seat, texts: ENGLISH, picked });
}
