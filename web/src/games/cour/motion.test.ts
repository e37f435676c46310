import { expect, test } from "vitest";
import { lines, motion, pause, sound, together, told, urgent } from "./motion";
import { scene, view } from "./testing";
import type { Event } from "./view";

const GIVEN: Event = { key: "given", rule: "", seat: 0, to: 2, card: "brick", kind: "brick.4" };
const BACK: Event = { key: "put_back", rule: "", seat: 0, card: "leaf", kind: "leaf" };
const TURNED: Event = { key: "turned", rule: "", seat: 1, card: "car", kind: "car" };

test("cards fly one after the other, and new ones come after them", () => {
  const { flights, turned } = motion([GIVEN, BACK, { key: "turn", rule: "", seat: 1, round: 2 }, TURNED, TURNED]);
  expect(flights.map(({ thing, from, to }) => [thing, from[0], to[0]])).toEqual([
    ["brick.4", "open:brick.4", "seat:2"],
    ["leaf", "open:leaf", "pile"],
  ]);
  const times = [...flights, ...turned].map(({ at }) => at);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(new Set(times).size).toBe(4);
});

test("a stolen card stays hidden from those who may not know it", () => {
  const theft = { key: "stolen", rule: "", seat: 1, victim: 2 } as const;
  const [unseen] = motion([{ ...theft, card: "hidden", kind: "hidden" }]).flights;
  expect(unseen).toMatchObject({ thing: "hidden", from: ["seat:2", "open"], to: ["seat:1"] });
  expect(motion([{ ...theft, card: "car", kind: "car" }]).flights[0]?.thing).toBe("car");
});

test("what was secret is shown for a moment, before anything moves", () => {
  const points: Event[] = [
    { key: "points", rule: "", seat: 0, target: 1 },
    { key: "points", rule: "", seat: 1, target: 2 },
  ];
  const fastest: Event = { key: "fastest", rule: "", seat: 1, target: 2 };
  const { moment, turned } = motion([...points, fastest, TURNED]);
  expect(moment).toEqual({
    kind: "slap",
    points: [
      { seat: 0, target: 1 },
      { seat: 1, target: 2 },
    ],
    fastest: 1,
    target: 2,
    card: null,
  });
  expect(turned[0]?.at).toBeGreaterThan(500);
  expect(motion([{ key: "nobody", rule: "" }]).moment).toMatchObject({ kind: "slap", fastest: null });
});

test("of two slaps in one step the first is shown, and nobody points twice", () => {
  const points: Event[] = [
    { key: "points", rule: "", seat: 0, target: 1 },
    { key: "points", rule: "", seat: 1, target: 0 },
  ];
  const twice = motion([
    ...points,
    { key: "nobody", rule: "" },
    ...points,
    { key: "fastest", rule: "", seat: 1, target: 0 },
  ]);
  expect(twice.moment).toMatchObject({ fastest: null, points: [{ seat: 0 }, { seat: 1 }] });
});

test("a duel shows both hands, and who won if anybody did", () => {
  const throws: Event = { key: "throws", rule: "", seat: 0, rival: 3, throw: "rock", answer: "rock" };
  expect(motion([throws]).moment).toMatchObject({ kind: "duel", seat: 0, rival: 3, winner: null });
  expect(motion([throws, { key: "king", rule: "", seat: 3, cards: 1 }]).moment).toMatchObject({ winner: 3 });
});

test("a reveal and what moves after it take four seconds at most, and waiting for others takes no time", () => {
  const long: Event[] = [
    { key: "fastest", rule: "", seat: 1, target: 2 },
    GIVEN,
    BACK,
    ...Array<Event>(9).fill(TURNED),
  ];
  const { total, turned } = motion(long);
  expect(total).toBe(4000);
  expect(Math.max(...turned.map(({ at }) => at))).toBeLessThanOrEqual(4000 - 380);
  expect(pause(long)).toBe(4000);
  expect(pause([{ key: "pointed", rule: "", seat: 1, target: "hidden" }])).toBe(0);
  expect(pause([{ key: "no_trade", rule: "", seat: 1 }])).toBeGreaterThan(0);
});

test("choices of all at once are urgent", () => {
  expect(urgent(["point 1", "point 2"])).toBe(true);
  expect(urgent(["throw rock", "throw paper", "throw scissors"])).toBe(true);
  expect(urgent(["keep car", "keep leaf"])).toBe(false);
  expect(urgent([])).toBe(false);
});

test("the rarest thing is heard", () => {
  const fastest: Event = { key: "fastest", rule: "", seat: 1, target: 2 };
  const stolen: Event = { key: "stolen", rule: "", seat: 1, victim: 2, card: "hidden", kind: "hidden" };
  expect(sound([TURNED, fastest, stolen])).toBe("slap");
  expect(sound([TURNED])).toBe("card");
  expect(sound([{ key: "pointed", rule: "", seat: 1, target: "hidden" }])).toBeNull();
});

test("cards turned over can be read, a slap's end and a duel be looked at", () => {
  expect(pause([TURNED])).toBeGreaterThanOrEqual(1500);
  expect(pause([{ key: "nobody", rule: "" }])).toBeGreaterThanOrEqual(2500);
  const throws: Event = { key: "throws", rule: "", seat: 0, rival: 3, throw: "rock", answer: "rock" };
  expect(pause([throws])).toBeGreaterThanOrEqual(2500);
});

const SLAP: Event[] = [
  { key: "pointed", rule: "", seat: 2, target: "hidden" },
  { key: "points", rule: "", seat: 0, target: 1 },
  { key: "points", rule: "", seat: 1, target: 2 },
  { key: "points", rule: "", seat: 2, target: 1 },
  { key: "fastest", rule: "", seat: 1, target: 2 },
  { key: "stolen", rule: "", seat: 1, victim: 2, card: "car", kind: "car" },
  TURNED,
  { ...TURNED, card: "leaf", kind: "leaf" },
];

test("the log tells a slap in a few lines, and cards turned over in one", () => {
  const { texts } = scene();
  const said = lines(SLAP).map((events) => events.map((event) => texts.say(`event.${event.key}`, event)).join(" "));
  expect(said).toEqual([
    "Zoé points at Malo. Malo points at Inès. Inès points at Malo.",
    "Malo was fastest, pointing at Inès.",
    "Malo takes a car from the hand of Inès.",
    "Malo turns over a car and a leaf.",
  ]);
});

test("of the characters dealt the log tells one's own", () => {
  const dealt = { key: "character", rule: "", seat: 0 } as const;
  const all: Event[] = [
    { ...dealt, character: "boss" },
    { ...dealt, seat: 1, character: "hidden" },
  ];
  expect(lines(all)).toEqual([[all[0]]]);
});

test("the most telling comes first, what nobody needs to hear is left out", () => {
  expect(told(SLAP).map(({ key }) => key)).toEqual(["stolen", "fastest", "turned"]);
  expect(told(SLAP.slice(0, 1))).toEqual([]);
});

test("people at one screen slap together, where speed counts", () => {
  const options = { ...view().options, reaction: "live" } as const;
  expect(together(view({ phase: "point", options }))).toBe(true);
  expect(together(view({ phase: "point" }))).toBe(false);
  expect(together(view({ phase: "throw", options }))).toBe(false);
});
