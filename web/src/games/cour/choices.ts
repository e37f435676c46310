/** The same choices as buttons. */
import type { Choice, Choices, Group } from "../contract";
import { capital, type Texts } from "../../lib/messages";
import { stem, typeOf, type Scene } from "./view";

/** A card in words, with its number where a set tells cards of one name apart. */
export function named(texts: Texts, kind: string): string {
  const [type = kind, n] = kind.split(".");
  return n === undefined ? texts.say(`a.${type}`) : texts.say("page.numbered", { card: type, n });
}

/** What an action says on a button. */
export function label(texts: Texts, action: string): string {
  const [verb = "", first = "", second = ""] = action.split(" ");
  switch (verb) {
    case "keep":
    case "take":
      return texts.say(`page.${verb}`, { what: named(texts, first) });
    case "give":
      return texts.say("page.give_to", { what: named(texts, first), to: Number(second) });
    case "throw":
      return capital(texts.say(`throw.${first}`));
    case "glue":
    case "trade":
      return texts.say(`page.${verb}_${first}`);
    default:
      return first === "none" ? texts.say("page.point_none") : texts.say(`page.${verb}`, { to: Number(first) });
  }
}

/** Giving asks for the card first, where there is a choice of cards and of seats. */
export function choices(scene: Scene): Choices {
  const { legal, texts } = scene;
  const stems = new Set(legal.filter((action) => action.startsWith("give ")).map(stem));
  const grouped = stems.size > 1 && legal.length > stems.size;
  const groups: Group[] = grouped
    ? [...stems].map((id) => ({ id, label: texts.say("page.give", { what: named(texts, id.split(" ")[1] ?? "") }) }))
    : [];
  return {
    groups,
    choices: legal.map((action): Choice => {
      if (!grouped) return { action, label: label(texts, action) };
      return { action, label: texts.say("page.to", { to: Number(action.split(" ")[2]) }), group: stem(action) };
    }),
  };
}

/** What the kinds of a hand are called, with their numbers: for people who listen. */
export function listed(texts: Texts, hand: { readonly [kind: string]: number }): string {
  return Object.entries(hand)
    .map(([kind, count]) => `${count} × ${texts.say(`card.${typeOf(kind)}`)}`)
    .join(", ");
}
