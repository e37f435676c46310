import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, Refused } from "../net/api";
import type { NewTable } from "../net/protocol";

const asked: string[] = [];
const worker = vi.hoisted(() => ({ request: vi.fn() }));
vi.mock("../../offline/host-client", () => worker);

/** Which addresses a server worker, if there is one at all. */
let server: (address: string) => boolean;

beforeEach(() => {
  asked.length = 0;
  worker.request.mockReset().mockResolvedValue({ status: 200, text: '{"id":"here"}' });
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    return server(address) ? Promise.resolve(new Response('{"id":"there"}')) : Promise.reject(new TypeError());
  });
});

afterEach(() => vi.unstubAllGlobals());

const alone: NewTable = { game: "recess", seats: [{ kind: "me" }, { kind: "bot" }] };

test("a table on this device is asked here, and no server", async () => {
  server = () => true;
  expect(await api.table("localabc")).toEqual({ id: "here" });
  expect(await api.make(alone, true)).toEqual({ id: "here" });
  expect(await api.make({ ...alone, from: { table: "localabc" } })).toEqual({ id: "here" });
  expect(asked).toEqual([]);
  expect(worker.request.mock.calls[0]).toEqual(["GET", "/tables/localabc", undefined, undefined]);
});

test("where no server can be reached, this device answers what it can", async () => {
  server = () => false;
  expect(await api.make(alone)).toEqual({ id: "here" });
  expect(await api.practice({ game: "recess", exercise: "x" })).toEqual({ id: "here" });
  await expect(api.make({ ...alone, seats: [{ kind: "me" }, { kind: "open" }] })).rejects.toThrow(Refused);
  await expect(api.make(alone, false)).rejects.toThrow(Refused);
  await expect(api.tables()).rejects.toThrow(Refused);
});

test("where this device cannot answer either, it is the server that is missed", async () => {
  server = () => false;
  worker.request.mockRejectedValue(new Refused(0, { error: "Unreachable", message: "", key: "no_local" }));
  await expect(api.make(alone)).rejects.toMatchObject({ problem: { key: "unreachable" } });
  await expect(api.make(alone, true)).rejects.toMatchObject({ problem: { key: "no_local" } });
});

test("a server that answers other questions is there: nothing is done elsewhere behind its back", async () => {
  server = (address) => address.endsWith("/health");
  await expect(api.make(alone)).rejects.toMatchObject({ offline: true });
  expect(worker.request).not.toHaveBeenCalled();
});

test("what the house refuses is refused in its words, and nothing is an answer, too", async () => {
  worker.request.mockResolvedValue({ status: 404, text: '{"error":"Unknown","message":"no","key":"no_table"}' });
  await expect(api.table("localabc")).rejects.toMatchObject({ status: 404, problem: { key: "no_table" } });
  worker.request.mockResolvedValue({ status: 204, text: "" });
  expect(await api.leave("localabc", "token")).toBeUndefined();
});
