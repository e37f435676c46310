import { afterEach, expect, test } from "vitest";
import { load } from "../device/local-storage";
import { KEPT, rootOf, tree, forks, type Branch, type Fork } from "./forks.svelte";

function fork(table: string, from: string, step: number): Fork {
  return { table, from, step, own: [0], names: ["Zoé", "Malo"] };
}

const ALL = [fork("b", "a", 9), fork("c", "a", 4), fork("d", "c", 2), fork("e", "a", 4), fork("y", "x", 1)];

/** "c(d) e b". */
function written(branches: Branch[]): string {
  return branches
    .map(({ fork, branches }) => fork.table + (branches.length > 0 ? `(${written(branches)})` : ""))
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
  const round = [fork("a", "b", 1), fork("b", "a", 1)];
  expect(written(tree(round, "a"))).toBe("b(a)");
  expect(["a", "b"]).toContain(rootOf(round, "a"));
});

test("the newest tries are kept, each once, with how they ended", () => {
  for (let at = 0; at < KEPT + 5; at++) forks.keep(fork(`t${at}`, "a", at));
  forks.keep(fork("t50", "a", 50));
  expect(forks.all.length).toBe(KEPT);
  expect(forks.all[0]?.table).toBe("t5");
  forks.end("t50", { scores: [1, 2], ranking: [[1], [0]] });
  forks.end("nowhere", { scores: [], ranking: [] });
  const kept = load<Fork[]>("tries", []);
  expect(kept.length).toBe(KEPT);
  expect(kept.at(-1)?.result?.ranking).toEqual([[1], [0]]);
});
