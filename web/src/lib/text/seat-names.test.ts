import { expect, test } from "vitest";
import { seatNames } from "./seat-names";
import { shortenName } from "./shorten-name";
import type { SeatInfo } from "../net/protocol";

const people = (...names: string[]): SeatInfo[] => names.map((name, seat) => ({ seat, kind: "person", name }));
const called = (...names: string[]): string[] => seatNames(people(...names), (seat) => `Seat ${seat}`);

test("names that look the same are numbered", () => {
  expect(called("Zoé", "zoé", "ZOE\u0301")).toEqual(["Zoé", "zoé 2", "ZOE\u0301 3"]);
  expect(called("Max", "Ｍａｘ", "M ax")).toEqual(["Max", "Ｍａｘ 2", "M ax 3"]);
  expect(called("Zoé", "Zoe", "")).toEqual(["Zoé", "Zoe", "Seat 2"]);
});

test("a name in the place of a number is no trap", () => {
  expect(called("Max", "Max 2", "Max")).toEqual(["Max", "Max 2", "Max 3"]);
});

test("a bot gives way to a person of its name", () => {
  const bot: SeatInfo = { seat: 1, kind: "bot", level: "greedy" };
  expect(seatNames([...people("basile"), bot], String)).toEqual(["basile", "Basile 2"]);
});

test("a name ends between two letters", () => {
  expect(shortenName("  Zoé ")).toBe("Zoé");
  expect(shortenName("x".repeat(30))).toBe("x".repeat(24));
  expect(shortenName("x".repeat(23) + "😀😀")).toBe("x".repeat(23) + "😀");
  expect(shortenName("x".repeat(20) + "👨‍👩‍👧‍👦")).toBe("x".repeat(20));
  expect(shortenName("😀".repeat(24))).toBe("😀".repeat(24));
});
