/** The same choices as buttons. */
import type { Choice, Choices, Group } from "../contract";
import { capital, type Texts } from "../../lib/text/messages";
import { cardSet, look } from "./cards";
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

/** What would come of an action, where it is not plain to see. */
export function means(scene: Scene, action: string): string {
  const { view, texts } = scene;
  const [verb = "", first = "", second = ""] = action.split(" ");
  const to = Number(second || first);
  switch (verb) {
    case "keep":
    case "take":
      return worth(scene, first);
    case "give": {
      const back = view.open.length === 2 ? view.open.toSpliced(view.open.indexOf(first), 1)[0] : undefined;
      const said = heldInHand(first) ? [texts.say("page.means_gets", { to, n: (view.sizes[to] ?? 0) + 1 })] : [];
      if (back !== undefined) said.push(texts.say("page.means_back", { what: capital(named(texts, back)) }));
      return said.join(" ");
    }
    case "point":
    case "steal":
      return first === "none" ? "" : texts.say("page.means_hand", { n: view.sizes[to] ?? 0 });
    case "challenge":
      return texts.say("page.means_challenge", {
        n: (view.kings[to] ? 1 : 0) + (scene.seat !== null && view.kings[scene.seat] ? 1 : 0),
      });
    case "friend":
      return texts.say("page.means_befriend");
    case "glue":
      return texts.say(`page.means_glue_${first}`);
    case "trade": {
      const gained = typeOf(view.ledger.at(-1)?.card ?? "");
      if (first === "yes") return texts.say(`page.trade_${gained}`);
      return scene.legal.length > 1 ? texts.say("page.means_trade_no", { card: gained }) : "";
    }
    default:
      return "";
  }
}

function heldInHand(kind: string): boolean {
  return kind !== "friend" && kind !== "glue";
}

/** What a card brings whoever has it: its stars, what the own character likes, what it does. */
function worth({ view, seat, texts }: Scene, kind: string): string {
  const set = cardSet(view.options.cards);
  const type = typeOf(kind);
  const character = seat === null ? null : view.characters[seat];
  const bonus = (character && set.characters[character]?.bonus[type]) || 0;
  const liked = bonus ? [texts.say("page.means_bonus", { n: bonus })] : [];
  if (set.toys[type] === undefined) return [texts.say(`page.means_${type}`), ...liked].join(" ");
  const { full } = look(set, kind);
  return [full ? texts.say("page.means_full", { n: full }) : texts.say("page.means_half"), ...liked].join(" ");
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
      const said = means(scene, action);
      const choice = said ? { action, means: said } : { action };
      if (!grouped) return { ...choice, label: label(texts, action) };
      return { ...choice, label: texts.say("page.to", { to: Number(action.split(" ")[2]) }), group: stem(action) };
    }),
  };
}

/** What the kinds of a hand are called, with their numbers: for people who listen. */
export function listed(texts: Texts, hand: { readonly [kind: string]: number }): string {
  return Object.entries(hand)
    .map(([kind, n]) => texts.say(`count.${typeOf(kind)}`, { n }))
    .join(", ");
}
