/** What a person can do now, as buttons: children and nuns to pick first, then where they go. */
import type { Choice, Choices } from "../contract";
import { capital, type Texts } from "../../lib/messages";
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

/** A piece by name: "boy 1 of Zoé", "nun 2". */
export function pieceName(texts: Texts, piece: PieceId): string {
  if (isNun(piece)) return texts.say("page.nun", { number: Number(piece.slice(4)) });
  return texts.say("page.child", { child: nameOf(piece), seat: seatOf(piece) });
}

function label(view: View, texts: Texts, action: string): string {
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
      nun: both ? second : "none",
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
    const group = groupOf(action);
    if (group !== null) {
      choice.group = group;
      if (!groups.includes(group)) groups.push(group);
    }
    return choice;
  });
  // Passing is never what a hasty finger should meet first.
  found.sort((one, other) => Number(one.action === "pass") - Number(other.action === "pass"));
  return {
    groups: groups.map((id) => {
      const piece = groupPiece(id, seat ?? view.active);
      const place = placeOf(view, piece);
      const who = capital(isNun(piece) ? pieceName(texts, piece) : texts.say(`child.${id}`));
      const where = isCell(place) ? place : texts.say("page.entrance");
      return { id, label: texts.say("page.pick", { who, where }) };
    }),
    choices: found,
  };
}
