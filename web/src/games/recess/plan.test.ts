import { expect, test } from "vitest";
import { fit, spots } from "./layout";
import { pause, plan, sound } from "./plan";
import type { View } from "./view";

const view: View = {
  seats: 3,
  turn: 4,
  active: 0,
  coins: [10, 10, 10],
  children: { "0b1": "c5", "1b1": "e6", "2g1": "k12", "2g2": "k12", "0g1": "girls" },
  nuns: ["h8", "k12"],
  fights: [],
  detention: [],
  yard: ".".repeat(144),
  seen: [],
  options: { turns: 30 },
  prompt: { key: "prompt.move", movement: 3 },
};
const ambush = [
  { key: "walk", rule: "R14", seat: 0, child: "b1", from: "c5", to: "e6", movement: 3 },
  { key: "fight", rule: "R18", seat: 0, child: "b1", victim: "b1", owner: 1, cell: "e6" },
  { key: "coin", rule: "R18", seat: 0, owner: 1, coins: 1 },
];
const caught = [
  { key: "tattle", seat: 0, child: "b2", nun: 1, from: "k12", cell: "e6" },
  { key: "detention", seat: 0, nun: 1, attacker: "b1", bully: 0, victim: "b1", owner: 1, cell: "e6" },
  { key: "shove", seat: 0, owner: 1, child: "b1", from: "e6", to: "f6" },
  { key: "nun", seat: 0, nun: 0, from: "h8", to: "h3" },
];

test("a child walks first, then they lie down, then the coin flies", () => {
  const made = plan(view, view, ambush);
  const [leg] = made.legs.get("0b1") ?? [];
  expect(leg?.path.at(-1)).toBe("e6");
  expect(leg?.path).toHaveLength(3);
  expect(made.poses.get("1b1")).toBe(leg?.lasts);
  const coin = made.effects.find((effect) => effect.kind === "coin");
  expect(coin?.from).toBe("e6");
  expect(coin?.at).toBeGreaterThan(leg?.lasts ?? Infinity);
});

test("no coin flies from somebody who has none", () => {
  const made = plan(view, view, [...ambush.slice(0, 2), { key: "coin", seat: 0, owner: 1, coins: 0 }]);
  expect(made.effects.map((effect) => effect.kind)).toEqual(["dust"]);
});

test("after a kiss the coins come from everybody who pays", () => {
  const kiss = { key: "kiss", seat: 0, child: "b1", partner: "g1", cell: "c5", paid: [0, 2, 1] };
  const coins = plan(view, view, [kiss]).effects.filter((effect) => effect.kind === "coin");
  expect(coins.map((coin) => [coin.from, coin.to])).toEqual([
    ["e6", "c5"],
    ["e6", "c5"],
    ["k12", "c5"],
  ]);
});

test("whoever is caught goes to the entrance of its own", () => {
  const made = plan(view, view, caught);
  expect(made.legs.get("0b1")?.[0]?.path).toEqual(["boys"]);
  expect(made.legs.get("nun 1")?.[0]?.path).toEqual(["e6"]);
});

test("nothing takes longer than a step may", () => {
  const long = [...ambush, ...caught, ...caught];
  expect(plan(view, view, long).lasts).toBeLessThanOrEqual(1200);
  expect(pause(long)).toBeLessThanOrEqual(1200);
  expect(pause(ambush)).toBeGreaterThan(plan(view, view, ambush).lasts);
  expect(pause([{ key: "turn", seat: 1, turn: 2, of: 30 }])).toBe(0);
});

test("the most remarkable event is heard", () => {
  expect(sound(ambush)).toBe("thud");
  expect(sound(caught)).toBe("whistle");
  expect(sound([{ key: "turn" }])).toBe(null);
});

test("the board is as large as the box allows, and large enough for a finger", () => {
  const [phone, desk, small] = [fit(390, 560), fit(900, 560), fit(330, 270)];
  expect(phone.cell).toBeGreaterThan(30);
  expect(phone.layout.high).toBeGreaterThan(phone.layout.wide);
  expect(desk.layout.wide).toBeGreaterThan(desk.layout.high);
  expect(desk.cell * desk.layout.high).toBeLessThanOrEqual(560);
  expect(small.cell).toBe(26);
});

test("everybody has a place of their own on the stage", () => {
  for (const layout of [fit(390, 560).layout, fit(900, 560).layout]) {
    const standing = spots(view, layout);
    const taken = [...standing.values()].map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`);
    expect(new Set(taken).size).toBe(Object.keys(view.children).length + 2);
    for (const { x, y } of standing.values()) {
      expect(x).toBeGreaterThan(-0.5);
      expect(x).toBeLessThan(layout.wide - 0.5);
      expect(y).toBeGreaterThan(-0.5);
      expect(y).toBeLessThan(layout.high - 0.5);
    }
  }
});
