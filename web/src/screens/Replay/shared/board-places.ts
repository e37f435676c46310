/** Places that can be pointed at: whatever on a stage names itself in `data-place`, or is a spot. */

const PLACES = "[data-place], [data-spot]";

/** Says what a place is called; null if it is nothing to point at. */
export type PlaceLabel = (name: string) => string | null;

const nameOf = (element: HTMLElement): string => element.dataset["place"] ?? element.dataset["spot"] ?? "";

/** The innermost place that something is in, inside `root`. */
export function placeOf(element: Element | null, root: Element, called: PlaceLabel): string | null {
  const found = element?.closest<HTMLElement>(PLACES);
  if (!found || !root.contains(found)) return null;
  return called(nameOf(found)) === null ? placeOf(found.parentElement, root, called) : nameOf(found);
}

/** The place under a point of the window. */
export function placeAt(x: number, y: number, root: Element, called: PlaceLabel): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const found = placeOf(element, root, called);
    if (found !== null) return found;
  }
  return null;
}

/** Where a place is drawn. Names come from afar: what is no name is nowhere. */
export function findPlace(root: Element, name: string): Element | null {
  if (!/^[\w .:-]+$/.test(name)) return null;
  return root.querySelector(`[data-place="${name}"], [data-spot="${name}"]:not([data-place])`);
}

/** All places that can be pointed at now, each with what it is called, in the order of these words. */
export function allPlaces(root: Element, called: PlaceLabel, language: string): { name: string; label: string }[] {
  const names = new Set([...root.querySelectorAll<HTMLElement>(PLACES)].filter(drawn).map(nameOf));
  const places = [...names].flatMap((name) => {
    const label = called(name);
    return label === null ? [] : [{ name, label }];
  });
  const { compare } = new Intl.Collator(language, { numeric: true });
  return places.toSorted((one, other) => compare(one.label, other.label));
}

const drawn = (element: Element): boolean => element.getBoundingClientRect().width > 0;
