import { afterEach, expect, test, vi } from "vitest";
import { api } from "./api";

afterEach(() => void vi.unstubAllGlobals());

function answers(status: number, body: BodyInit): void {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body, { status })));
}

test("an answer is what it says", async () => {
  answers(200, '{"id":"t1"}');
  expect(await api.find("abc")).toEqual({ id: "t1" });
});

test("a refusal comes with its reason, or with its number if it has none", async () => {
  answers(409, '{"error":"TooLate","message":"It is over.","key":"over"}');
  await expect(api.find("abc")).rejects.toMatchObject({ status: 409, problem: { key: "over" } });
  answers(502, "<html>");
  await expect(api.find("abc")).rejects.toMatchObject({ status: 502, problem: { key: "unreachable" } });
});

test("a server that cannot be reached, or whose answer breaks off, is one and the same", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
  await expect(api.find("abc")).rejects.toMatchObject({ offline: true });
  const late = new DOMException("signal timed out", "TimeoutError");
  answers(200, new ReadableStream({ start: (stream) => stream.error(late) }));
  await expect(api.find("abc")).rejects.toMatchObject({ offline: true });
});
