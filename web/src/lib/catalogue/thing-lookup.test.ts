import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onThingAsked, thingAt } from "./thing-lookup";

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `<main>
    <button id="card"><i data-thing="kite"><b id="inside"></b></i></button>
    <button id="two"><i data-thing="kite"></i><i data-thing="yo-yo"></i></button>
    <button id="none"></button>
  </main>`;
});
afterEach(() => void vi.useRealTimers());

const at = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (!found) throw new Error(id);
  return found;
};

function touch(type: string, id: string, x = 0): void {
  const init = { bubbles: true, pointerType: "touch", isPrimary: true, clientX: x, clientY: 0 };
  at(id).dispatchEvent(new PointerEvent(type, init));
}

test("a thing is what is around, or the only one on a button", () => {
  expect(thingAt(at("inside"))).toBe("kite");
  expect(thingAt(at("card"))).toBe("kite");
  expect(thingAt(at("two"))).toBeNull();
  expect(thingAt(at("none"))).toBeNull();
  expect(thingAt(null)).toBeNull();
});

test("a click with the right button asks, where there is a thing", () => {
  const ask = vi.fn();
  const stop = onThingAsked(document.body, ask);
  const right = (id: string) =>
    at(id).dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
  expect(right("inside")).toBe(false);
  expect(right("none")).toBe(true);
  expect(ask.mock.calls).toEqual([["kite"]]);
  stop();
  right("inside");
  expect(ask).toHaveBeenCalledTimes(1);
});

test("a finger that rests asks once, and does not press; one that goes on or away does not ask", () => {
  const ask = vi.fn();
  const pressed = vi.fn();
  at("card").addEventListener("click", pressed);
  const stop = onThingAsked(document.body, ask);
  touch("pointerdown", "inside");
  vi.advanceTimersByTime(600);
  at("inside").dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
  touch("pointerup", "inside");
  at("card").click();
  expect(ask.mock.calls).toEqual([["kite"]]);
  expect(pressed).not.toHaveBeenCalled();

  touch("pointerdown", "inside");
  touch("pointermove", "inside", 40);
  vi.advanceTimersByTime(600);
  touch("pointerdown", "inside");
  touch("pointerup", "inside");
  vi.advanceTimersByTime(600);
  at("card").click();
  expect(ask).toHaveBeenCalledTimes(1);
  expect(pressed).toHaveBeenCalledTimes(1);
  stop();
});
