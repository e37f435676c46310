import { expect, test, vi } from "vitest";
import { PassAndPlay } from "./pass-and-play.svelte";

test("a curtain falls when another own seat is asked, and rises for it alone", () => {
  const look = vi.fn();
  const passAndPlay = new PassAndPlay(look);
  passAndPlay.settle([2], 0, true);
  expect(passAndPlay.curtain).toBe(2);
  passAndPlay.taken(0);
  expect(passAndPlay.curtain).toBe(2);
  passAndPlay.taken(2);
  expect(passAndPlay.curtain).toBe(null);
  expect(look).not.toHaveBeenCalled();
});

test("whoever looks and is asked goes on, whoever else is asked", () => {
  const passAndPlay = new PassAndPlay(() => undefined);
  passAndPlay.settle([2], 0, true);
  passAndPlay.settle([0, 2], 0, true);
  expect(passAndPlay.curtain).toBe(null);
});

test("without secrets the other seat's eyes open at once", () => {
  const look = vi.fn();
  const passAndPlay = new PassAndPlay(look);
  passAndPlay.settle([2], 0, false);
  expect(look).toHaveBeenCalledExactlyOnceWith(2);
  expect(passAndPlay.curtain).toBe(null);
});

test("no curtain falls for what all answer together", () => {
  const passAndPlay = new PassAndPlay(() => undefined);
  passAndPlay.settle([0, 2], null, true, true);
  expect(passAndPlay.curtain).toBe(null);
  passAndPlay.settle([0], null, true);
  expect(passAndPlay.curtain).toBe(0);
});
