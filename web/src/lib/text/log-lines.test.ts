import { expect, test } from "vitest";
import { logLines } from "./log-lines";
import type { Json, Step } from "../net/protocol";

const step = (number: number, keys: string[], more: Partial<Step> = {}): Step => ({
  number,
  actor: 1,
  time: 0,
  events: keys.map((key) => ({ key, seat: 1, rule: "R1" })),
  ...more,
});
const lines = (steps: Step[]) =>
  logLines(steps, (key) => key).map(({ text, times, eased }) => [text, times, eased] as const);

test("what a game puts together is one line, and what it leaves out is none", () => {
  const game = (events: Json[]) => [events.filter(({ key }) => key === "point"), [{ key: "fast", rule: "R2" }]];
  const told = logLines([step(1, ["chosen", "point", "point"])], (key) => key, game);
  expect(told.map(({ text }) => text)).toEqual(["event.point event.point", "event.fast"]);
});

test("a line has the rules of all that it tells of, each once", () => {
  const events = [
    { key: "steal", rule: "R1" },
    { key: "gain", rule: "R2" },
    { key: "look", rule: "R1" },
  ];
  const [line] = logLines(
    [{ ...step(1, []), events }],
    (key) => key,
    (all) => [all],
  );
  expect(line?.rules).toEqual(["R1", "R2"]);
  expect(logLines([{ ...step(1, []), events: [{ key: "turn" }] }], (key) => key)[0]?.rules).toEqual([]);
});

test("a line an event, and the same again and again is one line", () => {
  expect(lines([step(1, ["walk", "coin"]), step(2, ["coin"]), step(3, ["turn"])])).toEqual([
    ["event.walk", 1, ""],
    ["event.coin", 2, ""],
    ["event.turn", 1, ""],
  ]);
});

test("who played in the place of a bot stands on the first line of what came of it", () => {
  const steps = [
    step(1, ["pass"]),
    step(2, ["pass", "turn"], { eased: "greedy" }),
    step(3, ["pass"], { eased: "skipped" }),
  ];
  expect(lines(steps)).toEqual([
    ["event.pass", 1, ""],
    ["event.pass", 1, "greedy"],
    ["event.turn", 1, ""],
    ["event.pass", 1, "skipped"],
  ]);
});
