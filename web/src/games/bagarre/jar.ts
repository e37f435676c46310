/** Where the marbles lie in a jar. */

export const MOST_DRAWN = 15;
const A_ROW = 3;

/** Marbles to draw: all of them, or a share of a large goal. */
export function drawn(marbles: number, goal: number): number {
  const shown = goal <= 12 ? marbles : Math.ceil((marbles / goal) * 12);
  return Math.min(shown, MOST_DRAWN);
}

/** The middle of the marble with this number, in a jar 40 wide whose floor is at 50; rows of three and two in turn. */
export function place(number: number): { x: number; y: number } {
  let row = 0;
  let left = number;
  for (let size = A_ROW; left >= size; size = row % 2 ? A_ROW - 1 : A_ROW) {
    left -= size;
    row++;
  }
  const wide = row % 2 === 0;
  return { x: (wide ? 10.5 : 15) + left * 9.4, y: 44.5 - row * 8 };
}
