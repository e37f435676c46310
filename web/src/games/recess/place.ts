/** What the places of the yard are called: cells as they are, and the two entrances. */
import { isCell, type Scene } from "./view";

export function place({ texts }: Pick<Scene, "texts">, name: string): string | null {
  if (isCell(name)) return name;
  return name === "boys" || name === "girls" ? texts.say(`place.${name}`) : null;
}
