import { afterEach, expect, test } from "vitest";
import { guide } from "./guide.svelte";
import { myTables } from "../device/my-tables.svelte";
import type { MyTable } from "../device/my-tables.svelte";

afterEach(() => {
  myTables.list = [];
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
  myTables.list = [{ id: "t", game: "four", status: "over" } as MyTable];
  expect(guide.offersTrial("four")).toBe(false);
  expect(guide.offersTrial("four", "t")).toBe(true);
});
