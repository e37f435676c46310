/** Who came where. */
import type { Json } from "../net/protocol";

export interface Place {
  place: number;
  seat: number;
  score: number;
}

/** Every seat with its place, best first; equals share a place, and the next one counts on behind them. */
export function places(result: Json): Place[] {
  const scores = result["scores"] as number[];
  let place = 1;
  return (result["ranking"] as number[][]).flatMap((group) => {
    const equals = group.map((seat) => ({ place, seat, score: scores[seat] ?? 0 }));
    place += group.length;
    return equals;
  });
}
