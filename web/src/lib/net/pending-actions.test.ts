import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PendingActions } from "./pending-actions.svelte";
import type { Act } from "./protocol";

let sent: Act[];
let pending: PendingActions;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  pending = new PendingActions((act) => sent.push(act));
});

afterEach(() => void vi.useRealTimers());

test("an action is on its way until its own name is answered", () => {
  pending.add(5, 0, "pass", null);
  expect(sent).toMatchObject([{ type: "act", at: 5, seat: 0, action: "pass", delay: null }]);
  pending.acknowledge("another");
  pending.acknowledge(undefined);
  expect(pending.busy(0)).toBe(true);
  pending.acknowledge(sent[0]?.id);
  expect(pending.busy(0)).toBe(false);
});

test("it goes out again word for word, and never once it was answered", () => {
  pending.add(5, 0, "pass", 120);
  pending.resendAll();
  expect(sent[1]).toEqual(sent[0]);
  pending.resendLater(sent[0]?.id);
  pending.acknowledge(sent[0]?.id);
  vi.runAllTimers();
  expect(sent).toHaveLength(2);
});

test("every action has a name of its own", () => {
  pending.add(5, 0, "pass", null);
  pending.acknowledge(sent[0]?.id);
  pending.add(5, 0, "pass", null);
  expect(sent[0]?.id).not.toBe(sent[1]?.id);
  expect(pending.has(sent[1]?.id)).toBe(true);
});

test("each seat has an errand of its own", () => {
  pending.add(5, 0, "point 1", 300);
  pending.add(5, 1, "point 0", 310);
  expect(sent.map(({ seat }) => seat)).toEqual([0, 1]);
  pending.acknowledge(sent[0]?.id);
  expect([pending.busy(0), pending.busy(1)]).toEqual([false, true]);
  pending.resendAll();
  expect(sent.at(-1)).toEqual(sent[1]);
});
