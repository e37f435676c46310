/** What is worth remembering of a game of La grande bagarre, with its words in the texts (`page.feat.`). */
import type { GamePage } from "./view";

export const feats: GamePage["feats"] = ({ ranking, reason, detail }, seat) => ({
  jars: Number(reason === "goal" && (ranking[0]?.includes(seat) ?? false)),
  front: detail?.front[seat] ?? 0,
});
