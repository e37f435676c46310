import { afterEach, describe, expect, it, vi } from "vitest";
import { draggable } from "./drag";

function table(): { card: HTMLElement; spot: HTMLElement } {
  document.body.innerHTML = '<button id="card"></button><div data-spot="discard"><i id="under"></i></div>';
  const card = document.getElementById("card") as HTMLElement;
  card.setPointerCapture = () => undefined;
  const spot = document.getElementById("under") as HTMLElement;
  document.elementsFromPoint = () => [card, spot];
  return { card, spot };
}

/** A card that can be dragged; whoever lets go of it is told the spot. */
const carried = (drop: (spot: string) => void) =>
  draggable({ grab: () => "card", drop: (_, spot) => drop(spot), carry: true, alone: true });

function point(card: HTMLElement, type: string, x: number): void {
  card.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: 0, button: 0, bubbles: true }));
}

describe("dragging a card", () => {
  afterEach(() => vi.useRealTimers());

  it("tells the spot under the pointer, and swallows the click that follows", () => {
    vi.useFakeTimers();
    const { card } = table();
    const dropped = vi.fn();
    const clicked = vi.fn();
    card.addEventListener("click", clicked);
    carried(dropped)(card);
    point(card, "pointerdown", 0);
    point(card, "pointermove", 60);
    expect(card.style.translate).toBe("60px 0px");
    point(card, "pointerup", 60);
    card.click();
    expect(dropped).toHaveBeenCalledExactlyOnceWith("discard");
    expect(clicked).not.toHaveBeenCalled();
    expect(card.style.translate).toBe("");
    vi.runAllTimers();
    card.click();
    expect(clicked).toHaveBeenCalledOnce();
  });

  it("leaves a short press a click", () => {
    const { card } = table();
    const dropped = vi.fn();
    const clicked = vi.fn();
    card.addEventListener("click", clicked);
    carried(dropped)(card);
    point(card, "pointerdown", 0);
    point(card, "pointermove", 3);
    point(card, "pointerup", 3);
    card.click();
    expect(dropped).not.toHaveBeenCalled();
    expect(clicked).toHaveBeenCalledOnce();
  });

  it("drops nothing when the gesture is broken off, and nothing once it is let go of", () => {
    const { card } = table();
    const dropped = vi.fn();
    const release = carried(dropped)(card);
    point(card, "pointerdown", 0);
    point(card, "pointermove", 60);
    point(card, "pointercancel", 60);
    release();
    point(card, "pointerdown", 0);
    point(card, "pointermove", 60);
    point(card, "pointerup", 60);
    expect(dropped).not.toHaveBeenCalled();
  });

  it("takes hold of what the press is on, tells once that it is on its way, and moves nothing it does not carry", () => {
    const { card } = table();
    const [start, drop] = [vi.fn(), vi.fn()];
    const grab = (event: PointerEvent) => (event.target as HTMLElement).id || null;
    draggable({ grab, start, drop })(document.body);
    point(card, "pointerdown", 0);
    point(card, "pointermove", 20);
    point(card, "pointermove", 60);
    document.elementsFromPoint = () => [document.getElementById("under") as HTMLElement];
    point(card, "pointerup", 60);
    expect(start).toHaveBeenCalledExactlyOnceWith("card");
    expect(drop).toHaveBeenCalledExactlyOnceWith("card", "discard");
    expect(card.style.translate).toBe("");
  });

  it("leaves alone what cannot be dragged", () => {
    const { card } = table();
    const drop = vi.fn();
    draggable({ grab: () => null, drop })(card);
    point(card, "pointerdown", 0);
    point(card, "pointermove", 60);
    point(card, "pointerup", 60);
    expect(drop).not.toHaveBeenCalled();
  });
});
