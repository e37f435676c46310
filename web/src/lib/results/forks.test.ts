import { afterEach, expect, test } from "vitest";
import { load } from "../device/store";
import { KEPT, rootOf, tree, forks, type Branch, type Fork } from "./forks.svelte";

function tried(table: string, from: string, step: number): Fork {
  return { table, from, step, own: [0], names: ["Zoé", "Malo"] };
}

const ALL = [tried("b", "a", 9), tried("c", "a", 4), tried("d", "c", 2), tried("e", "a", 4), tried("y", "x", 1)];

/** "c(d) e b". */
function written(branches: Branch[]): string {
  return branches
    .map(({ tried, branches }) => tried.table + (branches.length > 0 ? `(${written(branches)})` : ""))
    .join(" ");
}

afterEach(() => localStorage.clear());

test("tries grow out of each other, in the order of the game", () => {
  expect(written(tree(ALL, "a"))).toBe("c(d) e b");
  expect(written(tree(ALL, "c"))).toBe("d");
  expect(written(tree(ALL, "d"))).toBe("");
});

test("every try leads back to the game it began with", () => {
  expect(["a", "b", "d", "y", "z"].map((table) => rootOf(ALL, table))).toEqual(["a", "a", "a", "x", "z"]);
});

test("what cannot be, but stands in the store, is walked once", () => {
  const round = [tried("a", "b", 1), tried("b", "a", 1)];
  expect(written(tree(round, "a"))).toBe("b(a)");
  expect(["a", "b"]).toContain(rootOf(round, "a"));
});

test("the newest tries are kept, each once, with how they ended", () => {
  for (let at = 0; at < KEPT + 5; at++) forks.keep(tried(`t${at}`, "a", at));
  forks.keep(tried("t50", "a", 50));
  expect(forks.all.length).toBe(KEPT);
  expect(forks.all[0]?.table).toBe("t5");
  forks.end("t50", { scores: [1, 2], ranking: [[1], [0]] });
  forks.end("nowhere", { scores: [], ranking: [] });
  const kept = load<Fork[]>("tries", []);
  expect(kept.length).toBe(KEPT);
  expect(kept.at(-1)?.result?.ranking).toEqual([[1], [0]]);
});
