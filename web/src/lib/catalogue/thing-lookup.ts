/** Which thing of the gallery something on the screen is: whatever shows one names it in `data-thing`. */
import type { Scene } from "../../games/contract";

const nameOf = (element: Element | null | undefined): string | null => element?.getAttribute("data-thing") || null;

/** The thing that is shown here: under the pointer or around it, or on the button that has the focus. */
export function thingAt(element: Element | null): string | null {
  if (!element) return null;
  const around = nameOf(element.closest("[data-thing]"));
  if (around !== null) return around;
  const inside = element.closest("button, [data-spot]")?.querySelectorAll("[data-thing]");
  return inside?.length === 1 ? nameOf(inside[0]) : null;
}

/** The thing that an action is about, as far as it is to be seen inside `root`. */
export function thingOfAction(scene: Scene & About, action: string, root: Element): string | null {
  for (const mark of scene.page?.marks?.(scene, action) ?? []) {
    const found = thingAt(root.querySelector(mark));
    if (found !== null) return found;
  }
  return null;
}

/** The thing that a group of choices begins with. */
export function thingOfGroup(scene: Scene & About, group: string, root: Element): string | null {
  const choice = scene.page?.choices(scene).choices.find((one) => one.group === group);
  return choice ? thingOfAction(scene, choice.action, root) : null;
}

/** A scene whose game may say what its actions are about. */
interface About {
  readonly page: {
    marks?(scene: Scene, action: string): string[];
    choices(scene: Scene): { choices: { action: string; group?: string }[] };
  } | null;
}

/** A finger that rests so long, in milliseconds, and moves no further than so many pixels, asks. */
const LONG = 500;
const STILL = 10;

/**
 * Let people ask what a thing is: by a click with the right button, or by a finger that stays on it. What is under the
 * finger is not pressed then. Gives back how to stop listening.
 */
export function onThingAsked(root: HTMLElement, ask: (name: string) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  /** The finger has asked: its click is none. */
  let asked = false;

  const calm = () => clearTimeout(timer);

  function menu(event: MouseEvent): void {
    const name = thingAt(event.target as Element);
    if (name === null) return;
    event.preventDefault();
    calm();
    if (!asked) ask(name);
  }

  function down(event: PointerEvent): void {
    calm();
    asked = false;
    const name = event.pointerType === "touch" && event.isPrimary ? thingAt(event.target as Element) : null;
    if (name === null) return;
    from = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => {
      asked = true;
      ask(name);
    }, LONG);
  }

  function move({ clientX, clientY }: PointerEvent): void {
    if (Math.hypot(clientX - from.x, clientY - from.y) > STILL) calm();
  }

  function click(event: MouseEvent): void {
    if (!asked) return;
    asked = false;
    event.preventDefault();
    event.stopPropagation();
  }

  const heard = new AbortController();
  const { signal } = heard;
  root.addEventListener("contextmenu", menu, { signal });
  root.addEventListener("pointerdown", down, { signal, capture: true });
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", calm, { signal });
  addEventListener("pointercancel", calm, { signal });
  addEventListener("click", click, { signal, capture: true });
  return () => {
    calm();
    heard.abort();
  };
}
