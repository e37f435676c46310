/** Where things are in the window, now and from now on: boards grow and shrink, cards move and tables scroll. */

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

function boxOf(element: Element | null): Box | null {
  if (!element) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}

/** Tell where some elements are, at once and whenever that changes; null is nowhere. Gives back how to stop. */
export function watchBoxes(find: () => (Element | null)[], seen: (boxes: (Box | null)[]) => void): () => void {
  let frame = 0;
  let last = "";
  const look = (): void => {
    const boxes = find().map(boxOf);
    const now = JSON.stringify(boxes);
    if (now !== last) seen(boxes);
    last = now;
    frame = requestAnimationFrame(look);
  };
  look();
  return () => cancelAnimationFrame(frame);
}
