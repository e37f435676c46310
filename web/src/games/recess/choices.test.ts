import { expect, test } from "vitest";
import { choices } from "./choices";
import { goal } from "./goal";
import { cellLabel } from "./labels";
import { MOVE_NUN, moveBy, scene, view } from "./testing";
import type { View } from "./view";

const NOW = view({
  children: { "0b1": "e5", "0g1": "girls", "1b1": "f5", "1b2": "h8", "2g1": "h8" },
  nuns: ["d5", "l12"],
  fights: [{ cell: "h8", attacker: "1b2", victim: "2g1" }],
  yard: ".".repeat(143) + "S",
  seen: ["f5"],
  prompt: moveBy(2),
  landings: { "b1 f5": "fight", "g1 l12": "safe", "tattle 0 h8": "tattle", "tattle 1 h8": "tattle" },
});

function labels(legal: string[], changes: Partial<View> = {}, language: "en" | "fr" = "en"): string[] {
  return choices(scene({ ...NOW, ...changes }, legal, language)).choices.map((one) => one.label);
}

test("children to pick first, then where they go, and passing last", () => {
  const offered = choices(scene(NOW, ["pass", "b1 f5", "b1 e7", "g1 l12"]));
  expect(offered.groups).toEqual([
    { id: "b1", label: "Boy 1 (e5)" },
    { id: "g1", label: "Girl 1 (entrance)" },
  ]);
  expect(offered.choices).toEqual([
    { action: "b1 f5", label: "To f5: pin Max’s boy 1 down", group: "b1" },
    { action: "g1 l12", label: "To l12, safe", group: "g1" },
    { action: "b1 e7", label: "To e7", group: "b1" },
    { action: "pass", label: "Pass the turn" },
  ]);
});

test("what leads to detention comes after what does not", () => {
  const means = (risk: "detention" | "none"): View["means"] => ({
    "stay e5": { key: "means.stay", owner: 1, coins: 1, movement: 3, risk },
  });
  const legal = ["stay e5", "leave e5", "pass"];
  expect(labels(legal, { means: means("none") })).toEqual(["Stay on e5", "Leave e5", "Pass the turn"]);
  expect(labels(legal, { means: means("detention") })).toEqual(["Leave e5", "Stay on e5", "Pass the turn"]);
});

test("a nun needs no shelter", () => {
  const landings = { "nun 1 l11": "safe", "nun 1 h8": "catch" } as const;
  expect(labels(["nun 1 l11", "nun 1 h8"], { landings })).toEqual(["To h8: end the fight", "To l11"]);
});

test("nuns are groups too", () => {
  expect(choices(scene(NOW, ["nun 0 h8", "nun 1 l11"])).groups).toEqual([
    { id: "nun 0", label: "Nun 1 (d5)" },
    { id: "nun 1", label: "Nun 2 (l12)" },
  ]);
});

test("telling says on whom, and which nun only where both stand", () => {
  expect(labels(["tattle 0 h8", "share"])).toEqual(["Tell on Max against Inès on h8", "Say nothing"]);
  expect(labels(["tattle 1 h8"], { nuns: ["k12", "k12"] })).toEqual(["Tell nun 2 on Max against Inès on h8"]);
});

test("skipping a movement and leaving the nuns are different words", () => {
  expect(labels(["skip"])).toEqual(["Skip the 2"]);
  expect(labels(["skip"], { prompt: MOVE_NUN })).toEqual(["Leave the nuns where they are"]);
});

test("the same in French", () => {
  expect(labels(["b1 f5", "stay e5", "leave e5"], {}, "fr")).toEqual([
    "En f5\u202f: plaquer le garçon 1 de Max",
    "Rester en e5",
    "Partir d’e5",
  ]);
});

test("a cell says what is on it", () => {
  const { texts } = scene(NOW, []);
  expect(cellLabel(NOW, texts, "f5", { what: "fight", means: "1 coin from Max." }, false)).toBe(
    "f5, Max’s boy 1, seen by a nun, can go here: a fight. 1 coin from Max.",
  );
  expect(cellLabel(NOW, texts, "h8", null, false)).toBe("h8, Max’s boy 2 holds Inès’s girl 1 down");
  expect(cellLabel(NOW, texts, "l12", null, false)).toBe("l12, slide, safety, nun 2");
  expect(cellLabel(NOW, texts, "e5", null, true)).toBe("e5, your boy 1, can be moved");
});

test("a choice says what would come of it, in the game's words", () => {
  const means = (action: string, said: View["means"][string], language: "en" | "fr" = "en"): string | undefined =>
    choices(scene({ ...NOW, means: { [action]: said } }, [action], language)).choices[0]?.means;
  const kiss = { key: "means.kiss", coins: [12, 9, 9], winners: [0] } as const;
  expect(means("b1 e7", { ...kiss, coins: [...kiss.coins], winners: [...kiss.winners] })).toBe(
    "Ends the game: Zoé 12, Max 9, Inès 9. You win!",
  );
  expect(means("b1 e7", { ...kiss, coins: [9, 12, 9], winners: [1] })).toBe(
    "Ends the game: Zoé 9, Max 12, Inès 9. Max wins.",
  );
  const stay = { key: "means.stay", owner: 1, coins: 1, movement: 3, risk: "detention" } as const;
  expect(means("stay e5", stay)).toBe("1 coin from Max, but the 3 is lost, and the nun puts you in detention.");
  expect(means("nun 0 d8", { key: "means.sight", fights: ["h8", "c4"] }, "fr")).toBe(
    "D’ici elle voit les bagarres en h8 et c4.",
  );
  expect(means("nun 0 d8", { key: "means.sight", fights: [] })).toBe(undefined);
  expect(means("tattle 0 h8", { key: "means.caught", attacker: "b1", bully: 0 })).toBe("Your boy 1 goes to detention.");
});

test("the goal: one's own coins and the minutes, or who leads", () => {
  const now = scene({ ...NOW, coins: [7, 13, 10], turn: 12 }, []);
  expect(goal(now)).toBe("Your coins: 7 · Minute 12 of 30");
  expect(goal({ ...now, seat: null })).toBe("Max leads with 13 coins · Minute 12 of 30");
  expect(goal({ ...now, seat: null, view: NOW })).toBe("10 coins each · Minute 1 of 30");
});
