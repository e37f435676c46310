import { expect, test } from "vitest";
import { fit, spots } from "./layout";
import { pause, plan, sound, told } from "./plan";
import { view } from "./testing";
import { seenOf } from "./turn";
import type { Event } from "./view";

const NOW = view({
  turn: 4,
  children: { "0b1": "c5", "1b1": "e6", "2g1": "k12", "2g2": "k12", "0g1": "girls" },
  nuns: ["h8", "k12"],
});
const coin = (coins: number): Event => ({ key: "coin", rule: "R18", seat: 0, owner: 1, coins });
const turn: Event = { key: "turn", rule: "R7", seat: 1, turn: 2, of: 30 };
const brawl: Event[] = [
  { key: "walk", rule: "R14", seat: 0, child: "b1", from: "c5", to: "e6", movement: 3, path: ["d5", "e5", "e6"] },
  { key: "fight", rule: "R18", seat: 0, child: "b1", victim: "b1", owner: 1, cell: "e6" },
];
const ambush = [...brawl, coin(1)];
const caught: Event[] = [
  { key: "tattle", rule: "R29", seat: 0, child: "b2", nun: 1, from: "k12", cell: "e6" },
  { key: "detention", rule: "R30", seat: 0, nun: 1, attacker: "b1", bully: 0, victim: "b1", owner: 1, cell: "e6" },
  { key: "shove", rule: "R28", seat: 0, owner: 1, child: "b1", from: "e6", to: "f6" },
  { key: "nun", rule: "R31", seat: 0, nun: 0, from: "h8", to: "h3" },
];

test("a child walks first, then they lie down, then the coin flies", () => {
  const made = plan(NOW, ambush);
  const [leg] = made.legs.get("0b1") ?? [];
  expect(leg?.path).toEqual(["d5", "e5", "e6"]);
  expect(made.poses.get("1b1")).toBe(leg?.lasts);
  const flown = made.effects.find((effect) => effect.kind === "coin");
  expect(flown?.from).toBe("e6");
  expect(flown?.at).toBeGreaterThan(leg?.lasts ?? Infinity);
});

test("no coin flies from somebody who has none", () => {
  const made = plan(NOW, [...brawl, coin(0)]);
  expect(made.effects.map((effect) => effect.kind)).toEqual(["dust"]);
});

test("after a kiss the coins come from everybody who pays", () => {
  const pair = { child: "b1", partner: "g1", cell: "c5" } as const;
  const kiss: Event = { key: "kiss", rule: "R33", seat: 0, ...pair, paid: [0, 2, 1] };
  const coins = plan(NOW, [kiss]).effects.filter((effect) => effect.kind === "coin");
  expect(coins.map((coin) => [coin.from, coin.to])).toEqual([
    ["e6", "c5"],
    ["e6", "c5"],
    ["k12", "c5"],
  ]);
});

test("whoever is caught goes to the entrance of its own", () => {
  const made = plan(NOW, caught);
  expect(made.legs.get("0b1")?.[0]?.path).toEqual(["boys"]);
  expect(made.legs.get("nun 1")?.[0]?.path).toEqual(["e6"]);
});

const kissed: Event[] = [
  { key: "kiss", rule: "R33", seat: 0, child: "b1", partner: "g1", cell: "c5", paid: [0, 2, 1] },
  { key: "end", rule: "R33", seat: 0, reason: "kiss", coins: [13, 8, 9] },
];

test("nothing is acted out longer than a step may be, and a kiss is held", () => {
  const long = [...ambush, ...caught, ...caught];
  expect(plan(NOW, long).lasts).toBeLessThanOrEqual(1200);
  expect(pause(long)).toBeLessThanOrEqual(2500);
  expect(pause(kissed)).toBeGreaterThanOrEqual(2500);
  expect(pause(ambush)).toBeGreaterThan(plan(NOW, ambush).lasts);
  expect(pause([turn])).toBe(0);
});

test("the most remarkable event is heard", () => {
  expect(sound(ambush)).toBe("thud");
  expect(sound(caught)).toBe("whistle");
  expect(sound([turn])).toBe(null);
});

test("what matters is told before plain walking, and what nobody needs to hear is not", () => {
  const keys = (events: Event[]): string[] => told(events).map(({ key }) => key);
  expect(keys([turn, ...ambush])).toEqual(["fight", "coin", "walk"]);
  expect(keys([...brawl, coin(0)])).toEqual(["fight", "walk"]);
  expect(keys(caught)).toEqual(["detention", "tattle", "nun", "shove"]);
  expect(keys(kissed)).toEqual(["kiss", "end"]);
});

test("a movement is done or lost as it was seen, until the next turn", () => {
  const lost: Event = { key: "lost", rule: "R12", seat: 0, movement: 2 };
  expect(seenOf({}, [...brawl, lost])).toEqual({ 3: "done", 2: "lost" });
  expect(seenOf({ 3: "done" }, [turn])).toEqual({});
});

test("the board is as large as the box allows, and all of it fits", () => {
  const [phone, desk, small] = [fit(390, 560), fit(900, 560), fit(330, 270)];
  expect(phone.cell).toBeGreaterThan(30);
  expect(phone.layout.high).toBeGreaterThan(phone.layout.wide);
  expect(desk.layout.wide).toBeGreaterThan(desk.layout.high);
  expect(desk.cell * desk.layout.high).toBeLessThanOrEqual(560);
  for (const [wide, high] of [
    [390, 357],
    [360, 374],
    [320, 300],
    [588, 343],
    [320, 200],
  ] as const) {
    const { layout, cell } = fit(wide, high);
    expect(cell * layout.wide).toBeLessThanOrEqual(wide + 0.01);
    expect(cell * layout.high).toBeLessThanOrEqual(high + 0.01);
  }
  expect(small.cell).toBeGreaterThan(20);
});

test("everybody has a place of their own on the stage", () => {
  for (const layout of [fit(390, 560).layout, fit(900, 560).layout, fit(320, 300).layout]) {
    const standing = spots(NOW, layout);
    const taken = [...standing.values()].map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`);
    expect(new Set(taken).size).toBe(Object.keys(NOW.children).length + 2);
    for (const { x, y } of standing.values()) {
      expect(x).toBeGreaterThan(-0.5);
      expect(x).toBeLessThan(layout.wide - 0.5);
      expect(y).toBeGreaterThan(-0.5);
      expect(y).toBeLessThan(layout.high - 0.5);
    }
  }
});
