import { afterEach, expect, test } from "vitest";
import { guide } from "./guide.svelte";
import { mine } from "../device/my-tables.svelte";
import type { Mine } from "../device/my-tables.svelte";

afterEach(() => {
  mine.list = [];
});

test("the trial race is offered until it was tried", () => {
  expect(guide.offersTrial("one")).toBe(true);
  guide.tried("one");
  expect(guide.offersTrial("one")).toBe(false);
  expect(guide.offersTrial("two")).toBe(true);
});

test("no trial race is offered to a player who knows the game or has finished one", () => {
  guide.end("three");
  expect(guide.offersTrial("three")).toBe(false);
  mine.list = [{ id: "t", game: "four", status: "over" } as Mine];
  expect(guide.offersTrial("four")).toBe(false);
  expect(guide.offersTrial("four", "t")).toBe(true);
});
