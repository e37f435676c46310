import { expect, it } from "vitest";
import { settings } from "../device/settings.svelte";
import type { GameOption } from "../net/protocol";
import { optionAbout, optionName, unset, valueName } from "./option-names";

const back: GameOption = {
  name: "how_far",
  type: "choice",
  default: "line",
  choices: ["line", "three"],
  named: [],
  low: null,
  high: null,
  rule: "S5",
  title: { en: "Whoever is seen", fr: "Qui a été vu" },
  about: { en: "How far back it's going.", fr: "Jusqu'où l'on recule." },
  values: { line: { en: "to the line", fr: "à la ligne" } },
};
const seat: GameOption = { ...back, name: "first", type: "seat", default: 0, title: null, values: {} };

it("an option and its values are called as the game says", () => {
  settings.language = "fr";
  expect([optionName(back), optionAbout(back), valueName(back, "line")]).toEqual([
    "Qui a été vu",
    "Jusqu’où l’on recule.",
    "à la ligne",
  ]);
  settings.language = "en";
  expect([optionName(back), valueName(back, "line"), valueName(back, "three")]).toEqual([
    "Whoever is seen",
    "to the line",
    "three",
  ]);
  expect(optionName({ ...back, title: null })).toBe("How far");
});

it("a seat has the page's words unless the game has its own, and is drawn by lot unless somebody sets it", () => {
  settings.language = "en";
  expect([optionName(seat), valueName(seat, 2), valueName(seat, "random")]).toEqual([
    "Who begins",
    "Player 3",
    "drawn by lot",
  ]);
  expect([unset(seat), unset(back)]).toEqual(["random", "line"]);
});

it("a file goes by the name in it", () => {
  expect(valueName(back, { name: "Wood" })).toContain("Wood");
  expect(valueName(back, true)).toBe("yes");
});
