/** Scenes for the tests of this folder: a table of four, as Zoé sees it. */
import english from "../../../../src/preau/games/cour/texts/en.json";
import { Texts } from "../../lib/messages";
import type { Scene } from "../contract";

export const NAMES = ["Zoé", "Malo", "Inès", "Tom"];

export function scene(part: Partial<Scene> = {}): Scene {
  return {
    view: {},
    prompt: {},
    legal: [],
    seat: 0,
    names: NAMES,
    toAct: [],
    asked: 0,
    number: 1,
    events: [],
    actor: 0,
    result: null,
    calm: false,
    busy: false,
    texts: new Texts("en", english, NAMES),
    picked: null,
    pick: () => undefined,
    act: () => undefined,
    story: () => Promise.resolve([]),
    ...part,
  };
}
