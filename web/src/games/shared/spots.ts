/** Spots: places on a stage that have a name, `data-spot`. Things fly from spot to spot, and are dropped on them. */

export type Spots = ReadonlyMap<string, DOMRect>;

/** Where every spot of a stage is just now. */
export function measure(stage: HTMLElement): Spots {
  const found = new Map<string, DOMRect>();
  for (const element of stage.querySelectorAll<HTMLElement>("[data-spot]")) {
    found.set(element.dataset.spot ?? "", element.getBoundingClientRect());
  }
  return found;
}

/** The selector of a spot. */
export const selector = (spot: string): string => `[data-spot="${spot}"]`;

/** The spot that an element is on. */
export function spotOf(element: Element | undefined): string | null {
  return element?.closest<HTMLElement>("[data-spot]")?.dataset.spot ?? null;
}

/** The spot under a point of the window, looking through what is being `carried` there. */
export function spotAt(x: number, y: number, carried?: Element): string | null {
  return spotOf(document.elementsFromPoint(x, y).find((one) => !carried?.contains(one)));
}

/** The middle of a spot, in a frame with its own origin. */
export function middle(spot: DOMRect, frame: DOMRect): { x: number; y: number } {
  return { x: spot.x + spot.width / 2 - frame.x, y: spot.y + spot.height / 2 - frame.y };
}
