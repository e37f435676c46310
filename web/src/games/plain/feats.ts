/** What is worth remembering of a game that nobody has drawn: each number in its result's detail, and each list with a
 * number for every seat. Those are shown that the game has words for (`page.feat.<name>`). */
import type { GamePage } from "../contract";

/** So many are kept. */
const MOST = 8;

export const feats: GamePage["feats"] = (result, seat) => {
  const seats = (result["scores"] as number[]).length;
  const found = Object.entries(result["detail"] ?? {}).flatMap(([name, value]): [string, number][] => {
    const own: unknown = Array.isArray(value) && value.length === seats ? value[seat] : value;
    return typeof own === "number" ? [[name, own]] : [];
  });
  return Object.fromEntries(found.slice(0, MOST));
};
