import { beforeEach, expect, test, vi } from "vitest";
import type { challenges as Store } from "./challenges.svelte";

type Challenges = typeof Store;

const kept = new Map<string, string>();

/** The store as a page finds it that was opened just now. */
async function opened(): Promise<Challenges> {
  vi.resetModules();
  return (await import("./challenges.svelte")).challenges;
}

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

let tables = 0;

/** A whole try, begun on the day itself unless it is said otherwise. */
function met(store: Challenges, day: string, measure: number, begun = day, game = "yard", place = 1): void {
  const table = `t${++tables}`;
  store.begin(game, day, table, begun);
  store.finish(game, day, { table, begun, measure, place, of: 3 });
}

test("the best of the first three tries counts, and survives a reload", async () => {
  const store = await opened();
  for (const measure of [9, 12, 10, 30]) met(store, "2026-11-17", measure);
  const again = await opened();
  expect(again.best("yard", "2026-11-17")?.measure).toBe(12);
  expect(again.attempts("yard", "2026-11-17").map(({ measure }) => measure)).toEqual([9, 12, 10, 30]);
  expect(again.results()).toEqual([
    { game: "yard", day: "2026-11-17", measure: 12, place: 1, of: 3, attempts: 3, inTime: true },
  ]);
});

test("of equal tries the better place is the better one", async () => {
  const store = await opened();
  met(store, "2026-11-17", 9, "2026-11-17", "yard", 3);
  met(store, "2026-11-17", 9, "2026-11-17", "yard", 2);
  expect(store.best("yard", "2026-11-17")?.place).toBe(2);
});

test("a try under way is kept, uses up one of three and has no result", async () => {
  (await opened()).begin("yard", "2026-11-17", "open", "2026-11-17");
  const store = await opened();
  expect(store.attempts("yard", "2026-11-17")).toEqual([{ table: "open", begun: "2026-11-17" }]);
  expect(store.best("yard", "2026-11-17")).toBeUndefined();
  expect(store.results()).toEqual([]);
  for (const measure of [1, 2, 3]) met(store, "2026-11-17", measure);
  expect(store.best("yard", "2026-11-17")?.measure).toBe(2);
});

test("a result is written down once, also by a device that did not begin it", async () => {
  const store = await opened();
  store.finish("yard", "2026-11-17", { table: "moved", begun: "2026-11-17", measure: 5, place: 1, of: 3 });
  store.finish("yard", "2026-11-17", { table: "moved", begun: "2026-11-17", measure: 50, place: 1, of: 3 });
  expect(store.best("yard", "2026-11-17")?.measure).toBe(5);
  expect(store.attempts("yard", "2026-11-17")).toHaveLength(1);
});

test("days in a row count up to today, or up to yesterday while today is to come", async () => {
  const store = await opened();
  expect(store.streak("2026-11-17")).toBe(0);
  met(store, "2026-10-31", 1);
  met(store, "2026-11-01", 1, "2026-11-01", "other");
  expect(store.streak("2026-11-01")).toBe(2);
  expect(store.streak("2026-11-02")).toBe(2);
  expect(store.streak("2026-11-03")).toBe(0);
});

test("what is played later closes no gap", async () => {
  const store = await opened();
  met(store, "2026-11-15", 1);
  met(store, "2026-11-16", 1, "2026-11-17");
  met(store, "2026-11-17", 1);
  expect(store.streak("2026-11-17")).toBe(1);
  expect(store.results().map(({ day, inTime }) => [day, inTime])).toEqual([
    ["2026-11-17", true],
    ["2026-11-16", false],
    ["2026-11-15", true],
  ]);
  expect(store.metOn("2026-11-17")).toEqual(["yard"]);
});

test("tries on another device count once, in the order in which they began", async () => {
  const store = await opened();
  const [day, later] = ["2026-11-17", "2026-11-19"];
  met(store, day, 9, later);
  const here = structuredClone(store.everything);
  const there = {
    yard: {
      [day]: [
        { table: "u1", begun: day, measure: 20, place: 1, of: 3 },
        { table: "u2", begun: day },
      ],
    },
  };
  store.merge(there);
  expect(store.attempts("yard", day).map(({ table }) => table)).toEqual(["u1", "u2", here["yard"]?.[day]?.[0]?.table]);
  expect(store.best("yard", day)?.measure).toBe(20);
  const both = structuredClone(store.everything);
  store.merge(there);
  store.merge(here);
  expect(store.everything).toEqual(both);
  store.forgetAll();
  expect((await opened()).results()).toEqual([]);
});
