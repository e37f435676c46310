/** Words as outlines: how wide they are, where a line breaks, and the paths to draw them with. */
import { FONTS } from "virtual:letters";

/** `title` is written by hand; `text` and `bold` are easy to read. */
export type Face = "title" | "text" | "bold";

export interface Written {
  /** Outlines of all letters that our fonts have; its origin is where the writing begins. */
  path: string;
  /** How far it goes on, in units of the picture. */
  wide: number;
  /** What our fonts do not have, left to the viewer's fonts. */
  others: { x: number; wide: number; text: string }[];
}

const NARROW = "\u202f";
const UNSEEN = /[\p{M}\p{Cf}\ufe0f]/u;
/** Letters of the far East and signs are about as wide as they are high. */
const WIDE = 0x1100;

const glyphOf = (letter: string, face: Face) => FONTS[face].glyphs[letter];

/** How far to go on after a letter, as a part of its size. */
function advance(letter: string, face: Face): number {
  const { em, glyphs } = FONTS[face];
  const glyph = glyphs[letter];
  if (glyph) return glyph[0] / em;
  const space = (glyphs[" "]?.[0] ?? 0) / em;
  if (letter === "\u00a0") return space;
  if (letter === NARROW) return space / 2;
  if (UNSEEN.test(letter)) return 0;
  return (letter.codePointAt(0) ?? 0) >= WIDE ? 1.1 : 0.6;
}

export function measure(text: string, size: number, face: Face): number {
  let wide = 0;
  for (const letter of text) wide += advance(letter, face);
  return wide * size;
}

const short = (value: number): string => String(Math.round(value * 100) / 100);

export function write(text: string, size: number, face: Face): Written {
  const scale = size / FONTS[face].em;
  const others: Written["others"] = [];
  let path = "";
  let x = 0;
  let strange = false;
  for (const letter of text) {
    const wide = advance(letter, face) * size;
    const glyph = glyphOf(letter, face);
    const last = others.at(-1);
    if (glyph) {
      for (const [left, top, way] of glyph.slice(1) as [number, number, string][]) {
        path += `M${short(x + left * scale)} ${short(top * scale)}${scaled(way, scale)}`;
      }
    } else if (letter !== "\u00a0" && letter !== NARROW) {
      if (strange && last) {
        last.text += letter;
        last.wide += wide;
      } else others.push({ x, wide, text: letter });
    }
    strange = !glyph;
    x += wide;
  }
  return { path, wide: x, others };
}

const scaled = (way: string, scale: number): string =>
  way.replace(/ ?(-?\d+)/g, (_, units) => ` ${short(Number(units) * scale)}`).replace(/([a-z]) | (?=-)/g, "$1");

/** The text, cut so that it is no wider than this. */
export function cut(text: string, wide: number, size: number, face: Face): string {
  if (measure(text, size, face) <= wide) return text;
  const letters = [...text];
  while (letters.length > 1 && measure(`${letters.join("").trimEnd()}…`, size, face) > wide) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

/** The text in lines no wider than this; what does not fit into so many lines is cut. */
export function wrap(text: string, wide: number, size: number, face: Face, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  const words = text.split(" ");
  for (const [at, word] of words.entries()) {
    const longer = line ? `${line} ${word}` : word;
    if (measure(longer, size, face) <= wide || !line) {
      line = longer;
    } else if (lines.length === most - 1) {
      return [...lines, cut([line, ...words.slice(at)].join(" "), wide, size, face)];
    } else {
      lines.push(cut(line, wide, size, face));
      line = word;
    }
  }
  return line ? [...lines, cut(line, wide, size, face)] : lines;
}
