/** What the places on the table are called: the pile, seats, and cards that lie open or are held. */
import { named } from "./choices";
import type { Scene } from "./view";

export function place({ names, texts }: Pick<Scene, "names" | "texts">, name: string): string | null {
  const [kind = "", first = "", card = ""] = name.split(":");
  if (kind === "pile") return texts.say("page.place.pile");
  if (kind === "open" && first) return named(texts, first);
  const who = first ? names[Number(first)] : undefined;
  if (who === undefined) return null;
  if (kind === "held" && card) return texts.say("page.place.held", { card: named(texts, card), seat: Number(first) });
  return kind === "seat" ? who : null;
}
