/** What a person can do now, as buttons: children and nuns to pick first, then where they go. */
import type { Choice, Choices } from "../contract";
import { capital, type Texts } from "../../lib/text/messages";
import {
  fightOn,
  groupOf,
  groupPiece,
  isCell,
  isNun,
  movementOf,
  nameOf,
  piecesOn,
  placeOf,
  seatOf,
  signOf,
  targetOf,
  type PieceId,
  type Scene,
  type View,
} from "./view";

/** A piece by name: "Zoé's boy 1", "your boy 1", "nun 2". */
export function pieceName(texts: Texts, piece: PieceId): string {
  if (isNun(piece)) return texts.say(`nun.${piece.slice(4)}`);
  return texts.say(`mine.${nameOf(piece)}`, { seat: seatOf(piece) });
}

/** What would come of an action, where the game says so. */
export function meaning(view: View, texts: Texts, action: string): string | undefined {
  const means = view.means[action];
  if (!means) return undefined;
  if (means.key === "means.kiss") {
    const standings = means.coins.map((coins, seat) => `${texts.seat(seat)} ${coins}`).join(", ");
    const winner = means.winners.length === 1 ? means.winners[0] : -1;
    return texts.say(means.key, { ...means, standings, winner });
  }
  if (means.key === "means.sight") return texts.say(means.key, { ...means, seen: texts.list(means.fights) });
  return capital(texts.say(means.key, means));
}

/** Whether a button need not say it: the board does, and most of its neighbours would say the same. */
function isQuiet(view: View, action: string): boolean {
  const means = view.means[action];
  return means?.key === "means.watched" || (means?.key === "means.sight" && means.fights.length === 0);
}

/** Whether it leads to detention at the end of the turn, as far as can be seen. */
function isRisky(view: View, action: string): boolean {
  const means = view.means[action];
  return means?.key === "means.stay" && means.risk === "detention";
}

export function label(view: View, texts: Texts, action: string): string {
  const [kind = "", second = ""] = action.split(" ");
  const cell = targetOf(action) ?? "";
  const fight = fightOn(view, cell);
  if (kind === "pass" || kind === "share") return texts.say(`page.${kind}`);
  if (kind === "skip") return texts.say("page.skip", { movement: movementOf(view) ?? 0 });
  if (kind === "stay" || kind === "leave") return texts.say(`page.${kind}`, { cell });
  if (kind === "tattle" && fight) {
    const both = view.nuns[0] === view.nuns[1];
    return texts.say("page.tattle", {
      cell,
      attacker: seatOf(fight.attacker),
      victim: seatOf(fight.victim),
      nun: both ? Number(second) + 1 : "none",
    });
  }
  const what = signOf(view, action);
  const moved = groupOf(action);
  const own = moved === null ? view.step?.hand : groupPiece(moved, view.active);
  const there = fight ? fight.victim : piecesOn(view, cell).find((piece) => piece !== own);
  return texts.say(`page.to.${what}`, { cell, who: there ? pieceName(texts, there) : "" });
}

export function choices(scene: Scene): Choices {
  const { view, texts, seat } = scene;
  const groups: string[] = [];
  const found: Choice[] = scene.legal.map((action) => {
    const choice: Choice = { action, label: label(view, texts, action) };
    const means = meaning(view, texts, action);
    if (means !== undefined && !isQuiet(view, action)) choice.means = means;
    const group = groupOf(action);
    if (group !== null) {
      choice.group = group;
      if (!groups.includes(group)) groups.push(group);
    }
    return choice;
  });
  // What leads to something comes first; what a hasty finger would be sorry for, and passing, last.
  const rank = ({ action }: Choice): number =>
    action === "pass" ? 3 : isRisky(view, action) ? 2 : signOf(view, action) === "free" ? 1 : 0;
  found.sort((one, other) => rank(one) - rank(other));
  return {
    groups: groups.map((id) => {
      const piece = groupPiece(id, seat ?? view.active);
      const place = placeOf(view, piece);
      const who = capital(texts.say(isNun(piece) ? `page.nun.${id.slice(4)}` : `child.${id}`));
      const where = isCell(place) ? place : texts.say("page.entrance");
      return { id, label: texts.say("page.pick", { who, where }) };
    }),
    choices: found,
  };
}
