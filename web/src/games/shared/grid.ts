/** Where things stand in a picture. */

export interface Place {
  x: number;
  y: number;
  wide: number;
  high: number;
}

/** So many places in rows of the same size, as few rows as there can be with `most` in each; the rows' top edges are given. */
export function grid(count: number, most: number, tops: readonly number[], wide: number, high: number): Place[] {
  const gap = 12;
  const rows = Math.ceil(count / most);
  const across = Math.ceil(count / rows);
  const each = (wide - gap * (across + 1)) / across;
  return Array.from({ length: count }, (_, at) => {
    const row = Math.floor(at / across);
    return { x: gap + (at % across) * (each + gap), y: tops[row] ?? 0, wide: each, high };
  });
}

/** How far cards of this width lie apart, so that so many fit: side by side, or over each other. */
export function spread(count: number, card: number, wide: number): number {
  return count < 2 ? 0 : Math.min(card + 6, (wide - card) / (count - 1));
}
