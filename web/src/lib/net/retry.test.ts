import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { retry, BadResponse, retryAfter } from "./retry";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The attempts that a task takes that first fails in these ways, and how it ends. */
async function tried(...failures: unknown[]): Promise<[tries: number, ms: number, end: unknown]> {
  const start = Date.now();
  let tries = 0;
  let ms = 0;
  const work = retry(async () => {
    const failure = failures[tries++];
    if (failure !== undefined) throw failure;
    return "done";
  }).catch((error: unknown) => error);
  let end: unknown;
  void work.then((found) => {
    end = found;
    ms = Date.now() - start;
  });
  await vi.advanceTimersByTimeAsync(0);
  while (end === undefined) await vi.advanceTimersByTimeAsync(50);
  return [tries, ms, end];
}

const lost = new TypeError("no connection");

it("tries once, twice, three times more, and then gives up", async () => {
  expect(await tried()).toMatchObject([1, 0, "done"]);
  expect(await tried(lost)).toMatchObject([2, expect.any(Number), "done"]);
  expect(await tried(lost, lost, lost)).toMatchObject([4, expect.any(Number), "done"]);
  expect(await tried(lost, lost, lost, lost)).toMatchObject([4, expect.any(Number), lost]);
});

it("waits as long as the server says, and not for an answer that stays the same", async () => {
  const [tries, ms] = await tried(new BadResponse("a.js", 429, 10));
  expect(tries).toBe(2);
  expect(ms).toBeGreaterThanOrEqual(10_000);
  for (const final of [new BadResponse("a.js", 404), new BadResponse("a.js", 429, 3600)])
    expect(await tried(final)).toMatchObject([1, 0, final]);
});

it("does not wait without a connection", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  expect(await tried(lost)).toMatchObject([1, 0, lost]);
});

it("reads Retry-After as seconds and as a date", () => {
  const said = (text: string) => retryAfter(new Response("", { headers: text ? { "Retry-After": text } : {} }));
  expect(["12", "", "soon"].map(said)).toEqual([12, 0, 0]);
  expect(said(new Date(Date.now() + 5_000).toUTCString())).toBeGreaterThanOrEqual(4);
});
