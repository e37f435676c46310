/** What on the table an action is about. */
import { selector } from "../shared/spots";
import { handOf, type Scene } from "./view";

export function marks({ view, seat }: Scene, action: string): string[] {
  const [word = "", card = ""] = action.split(" ");
  if (word === "draw") return [selector("pile")];
  if (word === "seat") return [selector(`jar:${card}`)];
  const held = handOf(view, seat).includes(card);
  const found = held ? [selector(`held:${card}`)] : card ? [selector(`toy:${card}`)] : [];
  if (word === "maman" && card === "yes") return [selector("held:maman")];
  return word === "discard" ? [...found, selector("discard")] : word === "maman" ? [] : found;
}
