import { expect, test, vi } from "vitest";
import { request } from "./host-client";
import { Refused } from "../lib/net/api";
import type { Bundle, WorkerRequest, WorkerMessage } from "./worker-messages";
import { pythonStatus } from "./python-status.svelte";

/** Every question that a thinking worker was asked, with the rules it had. */
const asked: string[] = [];
let heard: (answer: string) => void;
const answered = new Promise<string>((resolve) => (heard = resolve));

/** A worker with no Python in it: it has a question for every request, and compiled rules fail. */
class Pretended {
  onmessage: (event: { data: WorkerMessage }) => void = () => undefined;
  private rules = "";

  postMessage(order: WorkerRequest): void {
    const tell = (data: WorkerMessage) => queueMicrotask(() => this.onmessage({ data }));
    if (order.do === "begin") {
      this.rules = order.role === "thinking" && order.bundle.compiled ? "compiled" : "plain";
      tell({ say: "ready", compiled: this.rules === "compiled" });
    }
    if (order.do === "call") tell({ say: "think", number: order.number, question: "what now?" });
    if (order.do === "think") {
      asked.push(`${this.rules}: ${order.question}`);
      if (this.rules === "compiled") tell({ say: "failed", why: "unreachable" });
      else tell({ say: "thought", number: order.number, answer: '"go on"' });
    }
    if (order.do === "answered") heard(order.answer);
  }

  terminate(): void {
    this.onmessage = () => undefined;
  }
}

const bundle: Bundle = { index: "", stdlib: "", package: "", compiled: "compiled.bin", lock: {}, files: [] };

test("a Python that is not heard of any more is given up, and comes when it is tried again", async () => {
  let ended = 0;
  class Silent extends Pretended {
    override postMessage(order: WorkerRequest): void {
      if (order.do === "begin") this.onmessage({ data: { say: "loading", loaded: 1, total: 9 } });
    }

    override terminate(): void {
      ended++;
    }
  }
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(bundle))));
  vi.stubGlobal("Worker", Silent);
  const refused = request("GET", "/games").catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(89_000);
  expect([ended, pythonStatus.state]).toEqual([0, "loading"]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([ended, pythonStatus.state]).toEqual([1, "failed"]);
  expect(await refused).toBeInstanceOf(Refused);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a question that compiled rules break at is thought about with plain ones", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(bundle))));
  vi.stubGlobal("Worker", Pretended);
  void request("GET", "/games");
  expect(await answered).toBe('"go on"');
  expect(asked).toEqual(["compiled: what now?", "plain: what now?"]);
  expect(pythonStatus.rules).toBe("plain");
  vi.unstubAllGlobals();
});
