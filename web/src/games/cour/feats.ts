/** What is worth remembering of a game of Dans la cour d'école, with its words in the texts (`page.feat.`). */
import type { GamePage } from "./view";

export const feats: GamePage["feats"] = ({ detail }, seat) => {
  const { row = [], full = 0, joined = 0 } = detail?.working?.[seat] ?? {};
  return { row: row.length, row_stars: full + joined };
};
