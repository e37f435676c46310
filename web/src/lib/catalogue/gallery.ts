/** What is in the boxes of the games, and how each game draws it. Loaded on demand. */
import type { Component } from "svelte";
import { api } from "../net/api";
import { gameInfo } from "./games";
import type { Texts } from "../text/messages";
import type { Box, Gallery, Thing } from "../net/protocol";

const loaded = new Map<string, Promise<Gallery>>();

/** Everything in the box of a game; null if it shows nothing. */
export function galleryOf(game: string): Promise<Gallery | null> {
  if (!gameInfo(game)?.gallery) return Promise.resolve(null);
  let found = loaded.get(game);
  if (!found) {
    found = api.gallery(game);
    found.catch(() => loaded.delete(game));
    loaded.set(game, found);
  }
  return found;
}

/** The box of this name, or null: a table may play with cards of its own. */
export function boxNamed({ boxes, option }: Gallery, name: unknown): Box | null {
  return option ? (boxes.find((box) => box.name === name) ?? null) : (boxes[0] ?? null);
}

/** The thing of this name, with the box it is in: this one if it has it, else the first that does. */
export function thingNamed(gallery: Gallery, name: string, preferred?: Box | null): { thing: Thing; box: Box } | null {
  for (const box of [...(preferred ? [preferred] : []), ...gallery.boxes]) {
    const thing = box.things.find((one) => one.name === name);
    if (thing) return { thing, box };
  }
  return null;
}

/** How much of a thing is on the sheet, and what is not, in words. */
export function sourceOf(thing: Thing, texts: Texts): { from: "sheet" | "ours" | "both"; ours: string[] } {
  const data = Object.entries(thing.sources ?? {});
  const ours = data.filter(([, source]) => source === "reconstructed").map(([datum]) => texts.say(`datum.${datum}`));
  const from = ours.length === 0 ? "sheet" : ours.length === data.length ? "ours" : "both";
  return { from, ours: [...new Set(ours)] };
}

/** How a game draws its things: as wide as the box they are in. */
type Picture = Component<{ name: string; box: string; texts: Texts }>;

const PICTURES = import.meta.glob<{ default: Picture }>("../../games/*/Thing.svelte");

/** Null: the game has no pictures on the page. */
export async function pictureOf(game: string): Promise<Picture | null> {
  const load = PICTURES[`../../games/${game}/Thing.svelte`];
  return load ? (await load()).default : null;
}
