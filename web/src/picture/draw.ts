/**
 * A moment of a game as an SVG file. Runs on the page and in an engine without a document, of which the command line has
 * one: the same code, so the same picture. `vite.picture.ts` builds it, with components that write markup.
 */
import { render } from "svelte/server";
import artCss from "../art/art.css?raw";
import type { GameSnapshot } from "../games/contract";
import { capital, Texts, typeset } from "../lib/text/messages";
import type { Frame as Step, Json } from "../lib/net/protocol";
import { merged, type Viewpoint, type Moment } from "../screens/Replay/viewpoint";
import tokens from "../tokens.css?raw";
import { flatten } from "./flatten";
import Frame from "./Frame.svelte";
import { say, speak } from "./words";

const SNAPSHOTS = import.meta.glob<{ snapshot: GameSnapshot }>("../games/*/snapshot.ts", { eager: true });
const COLOURS = import.meta.glob<string>("../games/*/tokens.css", { query: "?raw", import: "default", eager: true });

/** What is to be drawn. */
export interface Wish {
  game: string;
  title: string;
  language: "en" | "fr";
  /** The game's words. */
  messages: { readonly [key: string]: string };
  /** Of the seats; a seat without one is called by its number. */
  names: readonly string[];
  eyes: Viewpoint;
  moment: Moment;
  /** The number of the last step. */
  last: number;
  /** How the game ended. */
  result: Json | null;
  dark: boolean;
}

export function draw(wish: Wish): string {
  speak(wish.language);
  const { view, views, events, number, actor } = wish.moment;
  const game: GameSnapshot = (SNAPSHOTS[`../games/${wish.game}/snapshot.ts`] ?? plain()).snapshot;
  const seats = Number(view["seats"] ?? wish.names.length);
  const unnamed = new Texts(wish.language, wish.messages);
  const names = Array.from({ length: seats }, (_, seat) => wish.names[seat] || capital(unnamed.seat(seat)));
  const named = unnamed.named(names);
  const texts = game.texts?.(named, view) ?? named;
  const over = number === wish.last ? wish.result : null;
  const told = (game.told?.(events) ?? events).map((event) => texts.say(`event.${String(event["key"])}`, event));
  const props = {
    title: typeset(wish.title, wish.language),
    told: told.filter((line, at) => told.indexOf(line) === at),
    waits: waits(view, texts),
    step: say("replay.step_of", { n: number, total: wish.last }),
    eyes: eyesIn(wish.eyes, names),
    actor: actor >= 0 ? actor : null,
    Drawing: game.Drawing,
    scene: { view, views, events, texts, names, result: over, seat: typeof wish.eyes === "number" ? wish.eyes : null },
  };
  const { head, body } = render(Frame, { props });
  const css = [tokens, artCss, ...Object.values(COLOURS), ...head.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)]
    .map((one) => (typeof one === "string" ? one : (one[1] ?? "")))
    .join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${flatten(body, css, wish.dark)}\n`;
}

function plain(): { snapshot: GameSnapshot } {
  const found = SNAPSHOTS["../games/plain/snapshot.ts"];
  if (!found) throw new Error("the plain game has no picture");
  return found;
}

/** Whom the game waits for, or how it ended, as the public view has it. */
function waits({ prompt }: Json, texts: Texts): string {
  if (typeof prompt !== "object" || prompt === null || !("key" in prompt)) return "";
  const key = String(prompt.key);
  const toAll = key.replace(/^prompt\./, "wait.");
  return texts.has(toAll) ? texts.say(toAll, prompt) : texts.has(key) ? texts.say(key, prompt) : "";
}

function eyesIn(eyes: Viewpoint, names: readonly string[]): string {
  if (eyes === "all") return say("replay.all_open");
  return eyes === null ? "" : say("replay.eyes_of", { name: names[eyes] ?? "" });
}

/** The same for an engine without a document: from JSON, with the step from each viewpoint. */
function drawPicture(json: string): string {
  const { steps, ...wish } = JSON.parse(json) as Omit<Wish, "moment"> & { steps: Step[] };
  return [draw({ ...wish, moment: merged(steps, wish.eyes) })].join(""); // in one piece: QuickJS hands over no other text
}

Object.assign(globalThis, { drawPicture }); // such engines have no way to a module's exports
