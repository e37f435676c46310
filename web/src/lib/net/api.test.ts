import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, type Refused } from "./api";
import { rateLimitWaits } from "./rate-limit-waits.svelte";
import type { NewTable } from "./protocol";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

let asked = 0;

/** What the server answers, one after the other, and the last of them from then on. */
function answers(...all: (() => Response)[]): void {
  asked = 0;
  vi.stubGlobal("fetch", async () => all[Math.min(asked++, all.length - 1)]?.());
}

const answer =
  (status: number, body: BodyInit, headers: HeadersInit = {}) =>
  () =>
    new Response(body, { status, headers });
const lost = () => {
  throw new TypeError("failed");
};
const found = answer(200, '{"id":"t1"}');
const tooMuch = (seconds: number) =>
  answer(429, JSON.stringify({ error: "TooMuch", message: "", key: "rate", params: { what: "tables", seconds } }));

/** How a request ends, however long it takes. */
async function end<T>(request: Promise<T>): Promise<T | Refused> {
  let ended: T | Refused | undefined;
  request.then(
    (value) => (ended = value),
    (error: Refused) => (ended = error),
  );
  await vi.advanceTimersByTimeAsync(0);
  while (ended === undefined) await vi.advanceTimersByTimeAsync(100);
  return ended;
}

const wish: NewTable = { game: "cour", seats: [{ kind: "open" }], start: false };

test("an answer is what it says", async () => {
  answers(found);
  expect(await api.find("abc")).toEqual({ id: "t1" });
});

test("a refusal comes with its reason, or with its number if it has none", async () => {
  answers(answer(409, '{"error":"TooLate","message":"It is over.","key":"over"}'));
  await expect(api.find("abc")).rejects.toMatchObject({ status: 409, problem: { key: "over" } });
  answers(answer(501, "<html>"));
  await expect(api.find("abc")).rejects.toMatchObject({ status: 501, problem: { key: "unreachable" } });
});

test.each([
  ["no answer", lost],
  ["502", answer(502, "<html>")],
  ["503", answer(503, "")],
])("what only reads is asked for up to three times more: %s", async (_, failure) => {
  answers(failure, found);
  expect(await end(api.find("abc"))).toEqual({ id: "t1" });
  answers(failure, failure, failure, found);
  expect(await end(api.find("abc"))).toEqual({ id: "t1" });
  answers(failure);
  expect(await end(api.find("abc"))).toMatchObject({ problem: { key: "unreachable" } });
  expect(asked).toBe(4);
});

test("what does something is not done twice", async () => {
  for (const failure of [lost, answer(502, "<html>")]) {
    answers(failure, found);
    expect(await end(api.make(wish, false))).toMatchObject({ problem: { key: "unreachable" } });
    expect(asked).toBe(1);
  }
});

test("whatever was too much is asked for again when the server said, and the page knows what it waits for", async () => {
  answers(tooMuch(12), found);
  const made = api.make(wish, false);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(rateLimitWaits.last).toMatchObject({ what: "tables" });
  expect(asked).toBe(1);
  expect(await end(made)).toEqual({ id: "t1" });
  expect(rateLimitWaits.last).toBeUndefined();
});

test("Retry-After counts where the answer says nothing; what takes too long is refused", async () => {
  const start = Date.now();
  answers(answer(429, '{"error":"TooMuch","message":"","key":"rate"}', { "Retry-After": "9" }), found);
  expect(await end(api.find("abc"))).toEqual({ id: "t1" });
  expect(Date.now() - start).toBeGreaterThanOrEqual(9_000);
  answers(tooMuch(3_600));
  expect(await end(api.make(wish, false))).toMatchObject({ status: 429, seconds: 3_600 });
  expect(asked).toBe(1);
});

test("a server that cannot be reached, or whose answer breaks off, is one and the same", async () => {
  answers(lost);
  expect(await end(api.find("abc"))).toMatchObject({ offline: true });
  const late = new DOMException("signal timed out", "TimeoutError");
  answers(() => new Response(new ReadableStream({ start: (stream) => stream.error(late) })));
  expect(await end(api.find("abc"))).toMatchObject({ offline: true });
});

test("a busy server is asked again when it said, for what only reads; what does something may have been done", async () => {
  const busy = answer(503, '{"error":"Busy","message":"","key":"busy","params":{"seconds":5}}', { "Retry-After": "5" });
  const start = Date.now();
  answers(busy, found);
  expect(await end(api.practice({ game: "cour", exercise: "slap", actions: [] }))).toEqual({ id: "t1" });
  expect(Date.now() - start).toBeGreaterThanOrEqual(5_000);
  answers(busy, found);
  expect(await end(api.make(wish, false))).toMatchObject({ status: 503 });
  expect(asked).toBe(1);
});

test("any 503 is asked again when it said", async () => {
  const start = Date.now();
  answers(answer(503, "<html>", { "Retry-After": "7" }), found);
  expect(await end(api.find("abc"))).toEqual({ id: "t1" });
  expect(Date.now() - start).toBeGreaterThanOrEqual(7_000);
});
