/** Arrow keys on the table: to the nearest thing in that direction. */

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The index of the nearest box from `from` towards a direction, or -1. Going astray counts double. */
export function nearest(from: Box, boxes: Box[], [dx, dy]: [number, number]): number {
  let best = -1;
  let least = Infinity;
  boxes.forEach((box, index) => {
    const x = box.x + box.width / 2 - from.x - from.width / 2;
    const y = box.y + box.height / 2 - from.y - from.height / 2;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (ahead < 4 || aside > ahead * 4) return;
    const distance = ahead + 2 * aside;
    if (distance < least) [least, best] = [distance, index];
  });
  return best;
}

export function arrow(event: KeyboardEvent, root: HTMLElement): void {
  const direction = DIRECTIONS[event.key];
  const from = document.activeElement;
  if (!direction || !from || !root.contains(from)) return;
  const buttons = [...root.querySelectorAll<HTMLElement>("button")].filter(
    (button) => button !== from && button.getClientRects().length > 0,
  );
  const boxes = buttons.map((button) => button.getBoundingClientRect());
  buttons[nearest(from.getBoundingClientRect(), boxes, direction)]?.focus();
  event.preventDefault();
}
