import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadChunk, retryOrReload } from "./chunk-loader";

const BASE = "https://here/assets/index.js";

let refusals: number;
let asked: string[];

beforeEach(() => {
  vi.useFakeTimers();
  [refusals, asked] = [0, []];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return new Response("", { status: refusals-- > 0 ? 429 : 200 });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** An import as most browsers do it: once it has failed it fails for good. It works if its file can be fetched now. */
function imported(): () => Promise<string> {
  let module: Promise<string> | undefined;
  return () => (module ??= refusals > 0 ? Promise.reject(new TypeError("failed for good")) : Promise.resolve("part"));
}

/** How a part comes, however long that takes. */
async function come(load: () => Promise<string>, files: string[]): Promise<unknown> {
  let end: unknown;
  loadChunk(load, files, BASE).then(
    (part) => (end = part),
    (error: unknown) => (end = error),
  );
  await vi.advanceTimersByTimeAsync(0);
  while (end === undefined) await vi.advanceTimersByTimeAsync(100);
  return end;
}

test("a script is imported once its files are here, because a browser may not import again what has failed", async () => {
  refusals = 3;
  expect(await come(imported(), ["./a.js", "./b.js"])).toBe("part");
  expect(asked.filter((address) => address === "https://here/assets/a.js").length).toBeGreaterThan(1);
  asked = [];
  expect(await come(imported(), ["./a.js", "./c.js"])).toBe("part");
  expect(asked).toEqual(["https://here/assets/c.js"]);
});

test("files that failed for good are fetched again on request", async () => {
  const load = imported();
  refusals = 4;
  expect(await come(load, ["./d.js"])).toBeInstanceOf(Error);
  const anew = vi.fn();
  retryOrReload(anew);
  expect(anew).toHaveBeenCalledOnce();
  expect(await come(load, ["./d.js"])).toBe("part");
});

test("what fails although its files are here needs the page to be loaded again", async () => {
  const reload = vi.spyOn(location, "reload").mockReturnValue();
  expect(await come(() => Promise.reject(new TypeError("failed")), ["./e.js"])).toBeInstanceOf(Error);
  const anew = vi.fn();
  retryOrReload(anew);
  expect(anew).not.toHaveBeenCalled();
  expect(reload).toHaveBeenCalledOnce();
});
