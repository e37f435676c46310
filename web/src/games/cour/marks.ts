/** What on the table an action is about. */
import { selector } from "../shared/spots";
import type { Scene } from "./view";

const AT_A_SEAT = ["point", "challenge", "steal", "friend"];

export function marks(_: Scene, action: string): string[] {
  const [word = "", what = "", seat = ""] = action.split(" ");
  if (word === "keep") return [selector(`open:${what}`)];
  if (word === "give") return [selector(`open:${what}`), selector(`seat:${seat}`)];
  return AT_A_SEAT.includes(word) && what !== "none" ? [selector(`seat:${what}`)] : [];
}
