import { expect, test } from "vitest";
import { Texts } from "../../lib/text/messages";
import { actionOf, fieldsOf, isNothing, labelOf, most, ofSeat, put } from "./fields";

const VIEW = {
  game: "tag",
  rules: "1",
  seats: 2,
  seat: 0,
  options: { steps: 10 },
  prompt: { key: "prompt.choose" },
  round: 3,
  places: [4, 7],
  cards: ["run", "hidden"],
  hand: ["run", "walk", "walk"],
};
const TEXTS = new Texts("en", {
  "stage.seats.places": "Steps",
  "stage.seats.places.most": "{steps}",
  "stage.table.round": "Round",
  "stage.table.round.value": "{value} of {steps}",
  "stage.table.gone": "Not in the view",
  "stage.own.hand": "Your hand",
  "stage.own.hand.value": "{value, card}",
  "stage.own.hand.none": "nothing",
  "card.run": "run",
  "card.walk": "walk",
  "action.give": "give {1, card} to {2, seat}",
}).named(["Ann", "Bo"]);
const BARE = new Texts("en", { "event.turn": "Turn." });

test("a game says which fields are shown, where and in which order", () => {
  expect(fieldsOf("table", VIEW, TEXTS).map(({ name, label }) => [name, label])).toEqual([["round", "Round"]]);
  expect(fieldsOf("seats", VIEW, TEXTS).map(({ name }) => name)).toEqual(["places"]);
  expect(fieldsOf("own", VIEW, TEXTS).map(({ name }) => name)).toEqual(["hand"]);
});

test("values are put in its words, with the options of the table at hand", () => {
  const [round] = fieldsOf("table", VIEW, TEXTS);
  const [places] = fieldsOf("seats", VIEW, TEXTS);
  const [hand] = fieldsOf("own", VIEW, TEXTS);
  if (!round || !places || !hand) throw new Error("a field is missing");
  expect(put(round, 3, VIEW, TEXTS)).toBe("3 of 10");
  expect(put(hand, "walk", VIEW, TEXTS)).toBe("walk");
  expect(put(hand, null, VIEW, TEXTS)).toBe("nothing");
  expect([isNothing(hand, null, TEXTS), isNothing(round, null, TEXTS), isNothing(round, 0, TEXTS)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(ofSeat(places, VIEW, 1)).toBe(7);
  expect(most(places, VIEW, TEXTS)).toBe(10);
  expect(most(round, VIEW, TEXTS)).toBe(0);
});

test("without words all fields are shown as they are, by seat where there is one entry for each", () => {
  expect(fieldsOf("table", VIEW, BARE).map(({ label }) => label)).toEqual(["Round", "Hand"]);
  const [places, cards] = fieldsOf("seats", VIEW, BARE);
  if (!places || !cards) throw new Error("a field is missing");
  expect(fieldsOf("own", VIEW, BARE)).toEqual([]);
  expect(put(places, 4, VIEW, BARE)).toBe("4");
  expect(put(cards, "hidden", VIEW, BARE)).toBe("face down");
  expect(put(cards, null, VIEW, BARE)).toBe("–");
  expect(put(cards, true, VIEW, BARE)).toBe("yes");
  expect(put(cards, ["a", 2], VIEW, BARE)).toBe("a, 2");
  expect(put(cards, { red: 2, blue: ["x"] }, VIEW, BARE)).toBe("red 2 · blue x");
});

test("a button says what the game calls the action, or the action itself", () => {
  expect(labelOf("give walk 1", TEXTS)).toBe("Give walk to Bo");
  expect(labelOf("take walk 1", TEXTS)).toBe("take walk 1");
});

test("a thing does the only action that names it", () => {
  expect(actionOf("walk", ["play walk", "play run"])).toBe("play walk");
  expect(actionOf("walk", ["give walk 1", "give walk 2"])).toBeUndefined();
  expect(actionOf("walk", ["walk"])).toBeUndefined();
});
