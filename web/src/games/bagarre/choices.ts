/** What can be done now, as buttons: a card first where there is much to choose from, all at once elsewhere. */
import { capital, type Texts } from "../../lib/messages";
import type { Choice, Choices, Group } from "../contract";
import { toyOf } from "./cards";
import { handOf, type Scene, type View } from "./view";

/** The group of all fights. */
export const FIGHT = "fight";

/** Words whose button has a text of its own. */
const PLAIN = ["draw", "forfeit"];

export function choices(scene: Scene): Choices {
  const { view, texts } = scene;
  const grouped = view.phase === "action";
  const found: Choice[] = scene.legal.map((action) => {
    const choice: Choice = { action, label: capital(label(texts, view, action)) };
    if (grouped) choice.group = action.startsWith("fight ") ? FIGHT : cardIn(action);
    return choice;
  });
  return { groups: grouped ? groups(texts, view, scene) : [], choices: found };
}

/** The card (or seat) that an action names. */
export function cardIn(action: string): string {
  return action.split(" ")[1] ?? "";
}

/** The cards in hand, and fights, if one can be started. */
function groups(texts: Texts, view: View, scene: Scene): Group[] {
  const hand = new Set(handOf(view, scene.seat));
  const found = [...hand].map((card) => ({ id: card, label: capital(texts.say(`card.${card}`)) }));
  if (scene.legal.some((action) => action.startsWith("fight "))) {
    found.push({ id: FIGHT, label: texts.say("page.start_fight") });
  }
  return found;
}

function label(texts: Texts, view: View, action: string): string {
  const [word = "", card = ""] = action.split(" ");
  if (word === "done") return texts.say(view.phase === "convert" ? "page.done_convert" : "page.done_lay");
  if (PLAIN.includes(word)) return texts.say(`page.${word}`);
  if (word === "maman") return texts.say(`page.maman_${card}`);
  if (word === "seat") return texts.say("page.seat", { seat: Number(card) });
  const toy = toyOf(view, card);
  const marbles = view.special === "marie_edwige" ? toy?.second : toy?.value;
  if (word === "give") {
    const key = view.special === "marie_edwige" ? "page.give_marie_edwige" : "page.give";
    return texts.say(key, { card, marbles: marbles ?? 0 });
  }
  if (word === "take" || word === "fight") {
    const owner = view.players.findIndex((player) => player.front.includes(card));
    return texts.say("page.toy_of", { card, owner });
  }
  return texts.say(`page.${word}`, { card, marbles: marbles ?? 0 });
}
