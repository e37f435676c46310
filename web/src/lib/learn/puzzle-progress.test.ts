import { expect, test } from "vitest";
import { dayOf, daysInRow, merged, nextOf, noted, NOTHING, type Kept, type Outcome } from "./puzzle-progress";
import type { PuzzleInfo } from "../net/protocol";

const TODAY = "2026-03-01";

/** What is stored after attempts, each `id outcome day`. */
function after(...tries: [string, Outcome, string?][]): Kept {
  return tries.reduce((kept, [id, outcome, day = TODAY]) => noted(kept, "yard", id, outcome, day), NOTHING);
}

const puzzle = (id: string, theme: string, difficulty: number): PuzzleInfo => ({ id, theme, difficulty, seat: 0 });

test("what was solved stays solved, with its day", () => {
  const kept = after(["a", "solved", "2026-02-27"], ["a", "wrong"], ["a", "shown"], ["a", "solved"]);
  expect(kept.games).toEqual({ yard: { a: { how: "solved", day: "2026-02-27" } } });
  expect([kept.run, kept.best]).toEqual([1, 1]);
});

test("whoever saw the solution solves it with help from then on", () => {
  expect(after(["a", "shown"]).games["yard"]).toEqual({ a: { how: "failed", day: TODAY, shown: true } });
  expect(after(["a", "shown"], ["a", "solved"]).games["yard"]?.["a"]?.how).toBe("helped");
  expect(after(["a", "wrong"], ["a", "solved"]).games["yard"]?.["a"]?.how).toBe("solved");
});

test("help and wrong tries end the row, and what was wrong at first does not count in it", () => {
  const two = [
    ["a", "solved"],
    ["b", "solved"],
  ] as [string, Outcome][];
  expect(after(...two)).toMatchObject({ run: 2, best: 2 });
  expect(after(...two, ["c", "helped"])).toMatchObject({ run: 0, best: 2 });
  expect(after(...two, ["c", "wrong"])).toMatchObject({ run: 0, best: 2 });
  expect(after(...two, ["c", "wrong"], ["c", "solved"])).toMatchObject({ run: 0, best: 2 });
  expect(after(...two, ["c", "shown"], ["d", "solved"])).toMatchObject({ run: 1, best: 2 });
});

test("days in a row go over the ends of months, and last until the end of the day after", () => {
  const kept = after(["a", "solved", "2026-02-26"], ["b", "helped", "2026-02-27"], ["c", "solved", "2026-02-28"]);
  expect(daysInRow(kept, "2026-02-28")).toBe(3);
  expect(daysInRow(kept, TODAY)).toBe(3);
  expect(daysInRow(kept, "2026-03-02")).toBe(0);
  expect(daysInRow(after(["a", "shown"]), TODAY)).toBe(0);
  expect(daysInRow(NOTHING, TODAY)).toBe(0);
});

test("a day is that of the device", () => {
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
});

test("easy ones come first and themes take turns; what failed comes last, and never the one at hand", () => {
  const all = [puzzle("a", "kiss", 1), puzzle("b", "kiss", 1), puzzle("c", "nun", 1), puzzle("d", "nun", 2)];
  const solved = { how: "solved", day: TODAY } as const;
  const failed = { how: "failed", day: TODAY } as const;
  expect(nextOf(all, {})?.id).toBe("a");
  expect(nextOf(all, {}, "", "a")?.id).toBe("b");
  expect(nextOf(all, { a: solved })?.id).toBe("c");
  expect(nextOf(all, { a: failed, b: solved, c: solved })?.id).toBe("d");
  expect(nextOf(all, { a: failed, b: solved, c: solved, d: solved })?.id).toBe("a");
  expect(nextOf(all, {}, "nun")?.id).toBe("c");
  expect(nextOf(all, { c: solved, d: solved }, "nun")).toBeUndefined();
});

test("what comes from another device takes nothing away, and counts for once", () => {
  const here = after(["a", "solved", "2026-02-27"], ["b", "wrong"]);
  const there = after(["a", "helped", "2026-02-20"], ["b", "solved", "2026-02-28"], ["c", "solved", "2026-02-28"]);
  const both = merged(here, there);
  expect(both.games["yard"]).toMatchObject({
    a: { how: "solved", day: "2026-02-27" },
    b: { how: "solved", day: "2026-02-28" },
    c: { how: "solved" },
  });
  expect([both.run, both.best]).toEqual([here.run, 2]);
  expect(merged(both, there)).toEqual(both);
});
