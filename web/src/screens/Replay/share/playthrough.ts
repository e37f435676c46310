/** A whole game in sentences, as plain text. */
import type { GamePage } from "../../../games/contract";
import { logLines } from "../../../lib/text/log-lines";
import type { Texts } from "../../../lib/text/messages";
import type { Json } from "../../../lib/net/protocol";
import { say } from "../../../lib/text/words.svelte";
import type { Moment } from "../viewpoint";
import { places } from "../../../lib/results/ranking";

export interface Playthrough {
  title: string;
  /** The viewpoint in words. */
  viewpoint: string;
  /** The game's words, with the names of the seats; no reader is addressed as "you". */
  texts: Texts;
  page: Pick<GamePage, "lines" | "texts">;
  moments: Moment[];
  result: Json | null;
  /** The way to it, if there is one. */
  link: string;
}

/** Every turn with what happened in it, a line each, and how it ended. */
export function playthrough({ title, viewpoint, texts, page, moments, result, link }: Playthrough): string {
  const [first, last] = [moments[0], moments.at(-1)];
  const words = (first && page.texts?.(texts, first.view)) ?? texts;
  const told = logLines(moments, (key, event) => words.say(key, event), page.lines);
  const lines = told.flatMap(({ text, times, turn }) => {
    const line = times > 1 ? `${text} × ${times}` : text;
    return turn ? ["", line] : [`- ${line}`];
  });
  const end = result && last ? ["", ...ending(last.view, result, words)] : [];
  const head = [title, words.list(words.names), viewpoint].filter(Boolean);
  return `${[...head, "", ...lines, ...end, ...(link ? ["", link] : [])].join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

function ending({ prompt }: Json, result: Json, texts: Texts): string[] {
  const said = prompt as Json | undefined;
  const key = String(said?.["key"] ?? "");
  const points = (n: number): string => (texts.has("points") ? texts.say("points", { n }) : say("end.points", { n }));
  return [
    ...(said && texts.has(key) ? [texts.say(key, said)] : []),
    ...places(result).map(({ place, seat, score }) => `${place}. ${texts.seat(seat)}: ${points(score)}`),
  ];
}
