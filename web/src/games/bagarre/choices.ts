/** What can be done now, as buttons: a card first where there is much to choose from, all at once elsewhere. */
import { capital, type Texts } from "../../lib/text/messages";
import type { Choice, Choices, Group } from "../contract";
import { kindOf, toyOf } from "./cards";
import { handOf, type Scene, type View } from "./view";

/** The group of all fights. */
export const FIGHT = "fight";

/** Words whose button has a text of its own. */
const PLAIN = ["draw", "forfeit"];

export function choices(scene: Scene): Choices {
  const { view, texts } = scene;
  const grouped = view.phase === "action";
  const found = scene.legal.map((action) => {
    const choice = choiceOf(scene, action, capital(label(texts, view, action)));
    if (grouped) choice.group = isFight(action) ? FIGHT : cardIn(action);
    return choice;
  });
  return { groups: grouped ? groups(texts, view, scene) : [], choices: [...ofFriends(scene), ...found] };
}

/** The card (or seat) that an action names. */
export function cardIn(action: string): string {
  return action.split(" ")[1] ?? "";
}

const isFight = (action: string): boolean => action.startsWith("fight ");

/** Each friend in hand with all it could fight for; it goes down once the fight is named (see Stage.svelte). */
function ofFriends(scene: Scene): Choice[] {
  const { view, texts } = scene;
  const friends = new Set(handOf(view, scene.seat).filter((card) => kindOf(card) === "friend"));
  const fights = scene.legal.filter(isFight);
  return [...friends].flatMap((group) =>
    fights.map((action) => {
      const card = cardIn(action);
      return { ...choiceOf(scene, action, texts.say("page.fight_with", { card, owner: ownerOf(view, card) })), group };
    }),
  );
}

function choiceOf(scene: Scene, action: string, label: string): Choice {
  const means = meaning(scene, action);
  return means === "" ? { action, label } : { action, label, means };
}

/** What would come of an action, where that is not plain to see. */
function meaning(scene: Scene, action: string): string {
  const { view, texts, prompt } = scene;
  const [word = "", card = ""] = action.split(" ");
  const { goal } = view.options;
  switch (word) {
    case "convert":
    case "give": {
      const gain = gainOf(view, card);
      const marbles = view.players[view.active]?.marbles ?? 0;
      return gain > 0 ? texts.say("page.means_convert", { total: marbles + gain, goal }) : "";
    }
    case "fight": {
      if (prompt.key !== "prompt.action") return "";
      const { general, maman } = prompt;
      return texts.say(general.includes(card) ? "page.means_general" : "page.means_duel", { maman });
    }
    case "lay":
      return texts.say("page.means_lay");
    case "special":
      return texts.say(`effect.${card}`);
    case "discard":
      return view.phase === "action" ? instead(scene, card) : "";
    case "forfeit":
      return view.toy === null ? "" : texts.say("page.means_forfeit", { card: view.toy });
    case "maman":
      return card === "yes" ? texts.say("page.means_maman", { card: view.toy, owner: view.owner }) : "";
    case "seat":
      return texts.say("page.means_seat");
    default:
      return "";
  }
}

/** What else a card is for that can only be discarded just now. */
function instead({ view, texts, legal }: Scene, card: string): string {
  const kind = kindOf(card);
  if (kind === "special") return legal.includes(`special ${card}`) ? "" : texts.say(`effect.${card}`);
  if (kind === "toy" || legal.some(isFight)) return "";
  return texts.say(view.ban === null ? "page.means_no_toy" : "page.means_no_fight");
}

/** The marbles that a toy would bring now. */
function gainOf(view: View, card: string): number {
  const toy = toyOf(view, card);
  if (view.special === null) return toy?.value ?? 0;
  return view.special === "marie_edwige" ? (toy?.second ?? 0) : 0;
}

const ownerOf = (view: View, toy: string): number => view.players.findIndex((player) => player.front.includes(toy));

/** The cards in hand, and fights, if one can be started. */
function groups(texts: Texts, view: View, scene: Scene): Group[] {
  const hand = new Set(handOf(view, scene.seat));
  const found = [...hand].map((card) => ({ id: card, label: capital(texts.say(`card.${card}`)) }));
  if (scene.legal.some(isFight)) found.push({ id: FIGHT, label: texts.say("page.start_fight") });
  return found;
}

function label(texts: Texts, view: View, action: string): string {
  const [word = "", card = ""] = action.split(" ");
  if (word === "done") return texts.say(view.phase === "convert" ? "page.done_convert" : "page.done_lay");
  if (PLAIN.includes(word)) return texts.say(`page.${word}`);
  if (word === "maman") return texts.say(`page.maman_${card}`);
  if (word === "seat") return texts.say("page.seat", { seat: Number(card) });
  const marbles = gainOf(view, card);
  if (word === "give") {
    const key = view.special === "marie_edwige" ? "page.give_marie_edwige" : "page.give";
    return texts.say(key, { card, marbles });
  }
  if (word === "take" || word === "fight") return texts.say("page.toy_of", { card, owner: ownerOf(view, card) });
  return texts.say(`page.${word}`, { card, marbles });
}
