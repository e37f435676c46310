/** What the places on the table are called: cards, hands, jars and the two piles. */
import type { Scene } from "./view";

export function place({ view, texts }: Pick<Scene, "view" | "texts">, name: string): string | null {
  const [kind = "", ...rest] = name.split(":");
  const [first = "", card = ""] = rest;
  if (kind === "pile" || kind === "discard") return texts.say(`page.place.${kind}`);
  if (kind === "toy") {
    const owner = view.players.findIndex(({ front }) => front.includes(first));
    return owner < 0 ? texts.say("page.place", { card: first }) : texts.say("page.toy_of", { card: first, owner });
  }
  const seat = Number(first);
  if (!first || !view.players[seat]) return null;
  if (kind === "held" && card) return texts.say("page.toy_of", { card, owner: seat });
  return ["hand", "jar", "down"].includes(kind) ? texts.say(`page.place.${kind}`, { seat }) : null;
}
