/** A scene for tests, in which nothing happens but what a test says. */
import { Texts } from "../../lib/text/messages";
import type { Scene, Shapes } from "../contract";

export function sceneOf<Game extends Shapes>(
  view: Game["View"],
  prompt: Game["Prompt"],
  part: Partial<Scene<Game>> = {},
): Scene<Game> {
  return {
    view,
    prompt,
    legal: [],
    seat: 0,
    names: [],
    toAct: [],
    asked: 0,
    together: [],
    number: 1,
    events: [],
    actor: 0,
    result: null,
    calm: false,
    busy: false,
    texts: new Texts("en", {}),
    picked: null,
    pick: () => undefined,
    act: () => undefined,
    allViews: () => Promise.resolve([]),
    ...part,
  };
}
