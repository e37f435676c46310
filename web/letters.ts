/**
 * The outlines of the page's own fonts, as a module: pictures for elsewhere are drawn without any font, so that their
 * words look the same wherever they are opened. Read from the font packages when the page is built.
 */
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import type { Plugin } from "vite";

/** How far to go on after a letter, and its contours: where each begins, and its way from there, in units of the font. */
type Glyph = [advance: number, ...contours: [x: number, y: number, way: string][]];

interface Font {
  /** Units to the size of a letter. */
  em: number;
  glyphs: { [letter: string]: Glyph };
}

interface Point {
  x: number;
  y: number;
  on: boolean;
}

const MODULE = "virtual:letters";
const FONTS = {
  title: ["patrick-hand", "400"],
  text: ["atkinson-hyperlegible", "400"],
  bold: ["atkinson-hyperlegible", "700"],
} as const;
const SETS = ["latin", "latin-ext"] as const;

export function letters(): Plugin {
  return {
    name: "letters",
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return;
      const fonts = Object.entries(FONTS).map(([name, [family, weight]]) => {
        const read = SETS.map((set) => {
          const file = `node_modules/@fontsource/${family}/files/${family}-${set}-${weight}-normal.woff`;
          return readFont(readFileSync(new URL(file, import.meta.url)));
        });
        const glyphs: Font["glyphs"] = Object.assign({}, ...read.map((one) => one.glyphs));
        return [name, { em: read[0]?.em ?? 1000, glyphs }];
      });
      return `export const FONTS = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(fonts)))});`;
    },
  };
}

/** A font in a WOFF file with TrueType outlines. */
function readFont(file: Buffer): Font {
  const tables = new Map<string, DataView>();
  for (let at = 44; at < 44 + 20 * file.readUInt16BE(12); at += 20) {
    const [start, packed, size] = [4, 8, 12].map((far) => file.readUInt32BE(at + far)) as [number, number, number];
    const raw = file.subarray(start, start + packed);
    const data = packed < size ? inflateSync(raw) : raw;
    tables.set(file.toString("latin1", at, at + 4), new DataView(data.buffer, data.byteOffset, data.byteLength));
  }
  const table = (name: string): DataView => {
    const found = tables.get(name);
    if (!found) throw new Error(`the font has no table ${name}`);
    return found;
  };
  const [head, glyf, loca, hmtx] = [table("head"), table("glyf"), table("loca"), table("hmtx")];
  const long = head.getInt16(50) === 1;
  const place = (glyph: number): number => (long ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph));
  const metrics = table("hhea").getUint16(34);
  const glyphs: Font["glyphs"] = {};
  for (const [code, glyph] of letterCodes(table("cmap"))) {
    const contours = contoursOf(glyf, place, glyph).map(drawn);
    glyphs[String.fromCodePoint(code)] = [hmtx.getUint16(4 * Math.min(glyph, metrics - 1)), ...contours];
  }
  return { em: head.getUint16(18), glyphs };
}

/** Which letters the font has, and the number of the glyph of each (a `cmap` of format 4). */
function letterCodes(cmap: DataView): [number, number][] {
  const found: [number, number][] = [];
  for (let table = 0; table < cmap.getUint16(2); table++) {
    const at = cmap.getUint32(8 + 8 * table);
    if (cmap.getUint16(at) !== 4) continue;
    const twice = cmap.getUint16(at + 6);
    for (let segment = 0; segment < twice; segment += 2) {
      const last = cmap.getUint16(at + 14 + segment);
      const first = cmap.getUint16(at + 16 + twice + segment);
      const delta = cmap.getUint16(at + 16 + 2 * twice + segment);
      const ranges = at + 16 + 3 * twice + segment;
      const range = cmap.getUint16(ranges);
      for (let code = first; code <= last && code < 0xffff; code++) {
        const given = range === 0 ? code : cmap.getUint16(ranges + range + 2 * (code - first));
        const glyph = given === 0 ? 0 : (given + delta) & 0xffff;
        if (glyph !== 0) found.push([code, glyph]);
      }
    }
    return found;
  }
  throw new Error("the font does not say which letters it has in a way known here");
}

/** The closed lines that a glyph is made of; some glyphs are made of others, as é is. */
function contoursOf(glyf: DataView, place: (glyph: number) => number, glyph: number): Point[][] {
  const at = place(glyph);
  if (place(glyph + 1) === at) return []; // a space
  const count = glyf.getInt16(at);
  return count < 0 ? composed(glyf, place, at + 10) : simple(glyf, at + 10, count);
}

function simple(glyf: DataView, start: number, count: number): Point[][] {
  const ends = Array.from({ length: count }, (_, nth) => glyf.getUint16(start + 2 * nth));
  const total = (ends.at(-1) ?? -1) + 1;
  let at = start + 2 * count + 2 + glyf.getUint16(start + 2 * count);
  const flags: number[] = [];
  while (flags.length < total) {
    const flag = glyf.getUint8(at++);
    const times = flag & 8 ? glyf.getUint8(at++) + 1 : 1;
    for (let time = 0; time < times; time++) flags.push(flag);
  }
  const along = (short: number, same: number): number[] => {
    let now = 0;
    return flags.map((flag) => {
      if (flag & short) now += flag & same ? glyf.getUint8(at++) : -glyf.getUint8(at++);
      else if (!(flag & same)) {
        now += glyf.getInt16(at);
        at += 2;
      }
      return now;
    });
  };
  const xs = along(2, 16);
  const ys = along(4, 32);
  const points = flags.map((flag, nth): Point => ({ x: xs[nth] ?? 0, y: -(ys[nth] ?? 0), on: (flag & 1) === 1 }));
  return ends.map((end, nth) => points.slice((ends[nth - 1] ?? -1) + 1, end + 1));
}

function composed(glyf: DataView, place: (glyph: number) => number, start: number): Point[][] {
  const found: Point[][] = [];
  for (let at = start, more = true; more;) {
    const flags = glyf.getUint16(at);
    const glyph = glyf.getUint16(at + 2);
    const wide = (flags & 1) === 1;
    const [dx, dy] = wide
      ? [glyf.getInt16(at + 4), glyf.getInt16(at + 6)]
      : [glyf.getInt8(at + 4), glyf.getInt8(at + 5)];
    if (!(flags & 2)) throw new Error("a letter is put together in a way not known here");
    at += wide ? 8 : 6;
    // as it is, smaller or larger, differently so along both axes, or turned as well
    const many = flags & 8 ? 1 : flags & 64 ? 2 : flags & 128 ? 4 : 0;
    const part = Array.from({ length: many }, (_, nth) => glyf.getInt16(at + 2 * nth) / 16384);
    at += 2 * many;
    const [a = 1, second = a, c = 0, fourth = second] = part;
    const [b, d] = many === 4 ? [second, fourth] : [0, second];
    const moved = ({ x, y, on }: Point): Point => ({ x: a * x - c * y + dx, y: d * y - b * x - dy, on });
    found.push(...contoursOf(glyf, place, glyph).map((points) => points.map(moved)));
    more = (flags & 32) !== 0;
  }
  return found;
}

/** A contour as a path. Between two points off the line there is one on it, half way. */
function drawn(points: Point[]): [number, number, string] {
  const first = points.findIndex(({ on }) => on);
  const turned = [...points.slice(first), ...points.slice(0, first)];
  const [start = { x: 0, y: 0, on: true }] = turned;
  let here = start;
  let way = "";
  const step = (to: { x: number; y: number }): string => `${Math.round(to.x - here.x)} ${Math.round(to.y - here.y)}`;
  for (let at = 1; at <= turned.length; at++) {
    const point = turned[at % turned.length] ?? start;
    if (point.on) {
      if (at < turned.length) way += `l${step(point)}`;
      here = point;
      continue;
    }
    const next = turned[(at + 1) % turned.length] ?? start;
    const end = next.on
      ? next
      : { x: Math.round((point.x + next.x) / 2), y: Math.round((point.y + next.y) / 2), on: true };
    way += `q${step(point)} ${step(end)}`;
    here = end;
    if (next.on) at++;
  }
  return [Math.round(start.x), Math.round(start.y), `${way.replaceAll(" -", "-")}z`];
}
