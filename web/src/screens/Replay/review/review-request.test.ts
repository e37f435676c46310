import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, Refused } from "../../../lib/net/api";
import type { Review } from "../../../lib/net/protocol";
import { ReviewRequest } from "./review-request.svelte";
import { TableGame } from "../replay-source";

const ask = vi.spyOn(api, "askReview");
const poll = vi.spyOn(api, "review");

beforeEach(() => {
  vi.useFakeTimers();
  ask.mockReset();
  poll.mockReset();
});
afterEach(() => vi.useRealTimers());

test("it is asked for once and looked after until it is there", async () => {
  const found = { steps: 3 } as Review;
  ask.mockResolvedValue({ id: "r", status: "waiting", of: 4, place: 2 });
  poll.mockResolvedValueOnce({ id: "r", status: "working", of: 4, done: 1 });
  poll.mockResolvedValueOnce({ id: "r", status: "done", of: 4, done: 4, review: found });
  const reviewing = new ReviewRequest(new TableGame("t"));
  await reviewing.ask();
  expect(reviewing.info?.place).toBe(2);
  await vi.advanceTimersToNextTimerAsync();
  expect([reviewing.info?.status, reviewing.review]).toEqual(["working", null]);
  await vi.advanceTimersToNextTimerAsync();
  expect(reviewing.review).toBe(found);
  expect(vi.getTimerCount()).toBe(0);
  expect(ask).toHaveBeenCalledTimes(1);
});

test("what is refused is said, and can be asked for again", async () => {
  ask.mockRejectedValueOnce(new Refused(429, { error: "TooMuch", message: "too many wait" }));
  ask.mockResolvedValueOnce({ id: "r", status: "failed", of: 4 });
  const reviewing = new ReviewRequest(new TableGame("t"));
  await reviewing.ask();
  expect(reviewing.wrong).toBe("too many wait");
  await reviewing.ask();
  expect([reviewing.wrong, reviewing.info?.status]).toEqual(["", "failed"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("whoever goes away looks no longer", async () => {
  ask.mockResolvedValue({ id: "r", status: "working", of: 4 });
  const reviewing = new ReviewRequest(new TableGame("t"));
  await reviewing.ask();
  reviewing.stop();
  expect(vi.getTimerCount()).toBe(0);
  expect(poll).not.toHaveBeenCalled();
});
