/** What is worth remembering of a game of Recess!, with its words in the texts (`page.feat.`). */
import type { GamePage } from "./view";

export const feats: GamePage["feats"] = ({ detail }, seat) => ({ kisses: Number(detail?.kisser === seat) });
