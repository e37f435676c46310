import { expect, test, vi } from "vitest";
import { Hands } from "./pass-and-play.svelte";

test("a curtain falls when another own seat is asked, and rises for it alone", () => {
  const look = vi.fn();
  const hands = new Hands(look);
  hands.settle([2], 0, true);
  expect(hands.curtain).toBe(2);
  hands.taken(0);
  expect(hands.curtain).toBe(2);
  hands.taken(2);
  expect(hands.curtain).toBe(null);
  expect(look).not.toHaveBeenCalled();
});

test("whoever looks and is asked goes on, whoever else is asked", () => {
  const hands = new Hands(() => undefined);
  hands.settle([2], 0, true);
  hands.settle([0, 2], 0, true);
  expect(hands.curtain).toBe(null);
});

test("without secrets the other seat's eyes open at once", () => {
  const look = vi.fn();
  const hands = new Hands(look);
  hands.settle([2], 0, false);
  expect(look).toHaveBeenCalledExactlyOnceWith(2);
  expect(hands.curtain).toBe(null);
});

test("no curtain falls for what all answer together", () => {
  const hands = new Hands(() => undefined);
  hands.settle([0, 2], null, true, true);
  expect(hands.curtain).toBe(null);
  hands.settle([0], null, true);
  expect(hands.curtain).toBe(0);
});
