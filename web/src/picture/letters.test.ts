import { expect, test } from "vitest";
import { cut, measure, wrap, write } from "./letters";

test("words are as wide as their letters, and spaces that do not break are spaces", () => {
  expect(measure("ab", 20, "text")).toBeCloseTo(measure("a", 20, "text") + measure("b", 20, "text"));
  expect(measure("\u00a0", 20, "text")).toBe(measure(" ", 20, "text"));
  expect(measure("\u202f", 20, "text")).toBe(measure(" ", 20, "text") / 2);
  expect(measure("a", 40, "title")).toBeCloseTo(2 * measure("a", 20, "title"));
});

test("all letters of both languages, and of names round about, have outlines", () => {
  for (const face of ["title", "text", "bold"] as const) {
    const { others, path } = write("Où est l’œuf ? Ça, « Zoë » – Łukasz, Günther, Åse, Šárka ! 12/30 · × …", 20, face);
    expect(others).toEqual([]);
    expect(path).not.toMatch(/NaN|undefined|e-/);
  }
});

test("an outline closes, and begins where its letter stands", () => {
  const { path } = write("il", 100, "text");
  expect(path.match(/z/g)?.length).toBe(path.match(/M/g)?.length);
  const [first = 0, ...rest] = [...path.matchAll(/M(-?[\d.]+)/g)].map(([, x]) => Number(x));
  expect(Math.max(...rest)).toBeGreaterThan(first);
});

test("what our fonts do not have is handed over in one piece, with room for it", () => {
  const { others, wide } = write("a李雷b", 10, "text");
  expect(others).toEqual([{ x: measure("a", 10, "text"), wide: 22, text: "李雷" }]);
  expect(wide).toBeCloseTo(measure("ab", 10, "text") + 22);
});

test("a text is cut to its room, and breaks into no more lines than there are", () => {
  const long = "one two three four five six seven eight nine ten";
  expect(cut("one", 500, 20, "text")).toBe("one");
  expect(cut(long, 100, 20, "text")).toMatch(/^one t.*…$/);
  const lines = wrap(long, 150, 20, "text", 2);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/…$/);
  expect(wrap(long, 150, 20, "text", 9).join(" ")).toBe(long);
  for (const line of wrap(long, 150, 20, "text", 9)) expect(measure(line, 20, "text")).toBeLessThanOrEqual(150);
  expect(wrap("un\u202f!", 1, 20, "text", 2)).toHaveLength(1);
});
