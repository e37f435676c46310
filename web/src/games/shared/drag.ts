/** Dragging with mouse, pen or finger, from spot to spot. A short press stays a click, so nothing needs dragging. */
import { spotAt } from "./spots";

/** So many pixels make a drag of a press. */
const FAR = 8;

export interface Dragging<Thing> {
  /** What a press takes hold of; null if there is nothing to drag. */
  grab(event: PointerEvent): Thing | null;
  /** It is on its way. */
  start?(thing: Thing): void;
  /** It is let go of over a spot. */
  drop(thing: Thing, spot: string): void;
  /** The element itself comes along. */
  carry?: boolean;
  /** Nothing else hears of the pointer meanwhile, so that nothing lights up under it. */
  alone?: boolean;
}

/** For `{@attach}`: things can be dragged out of the element. While it is carried it has the class `dragged`. */
export function draggable<Thing>(dragging: Dragging<Thing>): (element: HTMLElement) => () => void {
  return (element) => {
    let held: { thing: Thing; x: number; y: number } | null = null;
    let moving = false;

    function down(event: PointerEvent): void {
      const thing = event.button === 0 ? dragging.grab(event) : null;
      if (thing === null) return;
      held = { thing, x: event.clientX, y: event.clientY };
      if (dragging.alone) element.setPointerCapture(event.pointerId);
      addEventListener("pointermove", move);
      addEventListener("pointerup", up);
      addEventListener("pointercancel", up);
    }

    function move(event: PointerEvent): void {
      if (!held) return;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      if (!moving && Math.hypot(dx, dy) < FAR) return;
      if (!moving) dragging.start?.(held.thing);
      moving = true;
      if (!dragging.carry) return;
      element.classList.add("dragged");
      element.style.translate = `${dx}px ${dy}px`;
    }

    function up(event: PointerEvent): void {
      const dropped = moving && event.type === "pointerup" ? held : null;
      const carried = dragging.carry ? element : undefined;
      const spot = dropped && spotAt(event.clientX, event.clientY, carried);
      release();
      if (dropped && spot !== null) dragging.drop(dropped.thing, spot);
      setTimeout(() => (moving = false)); // after the click that ends a drag
    }

    function release(): void {
      held = null;
      element.classList.remove("dragged");
      element.style.translate = "";
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
    }

    function click(event: MouseEvent): void {
      if (!moving) return;
      event.stopPropagation();
      event.preventDefault();
    }

    element.addEventListener("pointerdown", down);
    element.addEventListener("click", click, true);
    return () => {
      release();
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("click", click, true);
    };
  };
}
