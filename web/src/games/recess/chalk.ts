/** Lines by a slightly trembling hand: always the same ones, so that nothing flickers. */

/** Numbers from 0 to 1 that look random. */
export function dice(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 374761393;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

const short = (value: number): string => value.toFixed(1).replace(/\.0$/, "");

/** A chalk line from one point to another. */
export function line(x: number, y: number, toX: number, toY: number, roll: () => number, tremble = 0.7): string {
  const pieces = Math.max(2, Math.round(Math.hypot(toX - x, toY - y) / 60));
  const shake = (): number => (roll() - 0.5) * 2 * tremble;
  let path = `M${short(x + shake())} ${short(y + shake())}`;
  for (let at = 1; at <= pieces; at++) {
    const middle = (at - 0.5) / pieces;
    const end = at / pieces;
    path += `Q${short(x + (toX - x) * middle + shake() * 1.6)} ${short(y + (toY - y) * middle + shake() * 1.6)} ${short(x + (toX - x) * end + shake())} ${short(y + (toY - y) * end + shake())}`;
  }
  return path;
}

/** A box with a wavering edge, to be filled. */
export function blot(x: number, y: number, wide: number, high: number, roll: () => number, tremble = 1.5): string {
  const corners: [number, number][] = [
    [x, y],
    [x + wide, y],
    [x + wide, y + high],
    [x, y + high],
  ];
  return (
    corners
      .map(([fromX, fromY], at) => {
        const [toX, toY] = corners[(at + 1) % 4] ?? [x, y];
        const side = line(fromX, fromY, toX, toY, roll, tremble);
        return at === 0 ? side : side.replace(/^M/, "L");
      })
      .join("") + "Z"
  );
}

/** Grains of a tile of asphalt, as one path of dots. */
export function grains(size: number, count: number, roll: () => number): string {
  let path = "";
  for (let at = 0; at < count; at++) path += `M${short(roll() * size)} ${short(roll() * size)}h.1`;
  return path;
}
