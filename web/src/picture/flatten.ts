/**
 * A drawing as other programs can show it: colours, transforms and letters are worked out and stand in the elements
 * themselves. No style sheet, no custom property, no font, nothing but SVG is left.
 */
import { write, type Face } from "./letters";
import { cascade, declarations, listed, parse, rules, type Declarations, type Element } from "./tree";

/** Elements that become part of the picture; of any other only what is in it does. */
const DRAWN = new Set(
  "svg g path circle ellipse rect line polyline polygon defs pattern clipPath mask use title desc".split(" "),
);
/** What says where and how large something is. */
const PLACED = new Set(
  (
    "id d x y x1 y1 x2 y2 cx cy r rx ry width height points viewBox preserveAspectRatio patternUnits " +
    "patternTransform clipPathUnits href xmlns role aria-labelledby pathLength"
  ).split(" "),
);
/** What says how it looks, as an attribute or in CSS. */
const LOOKS = new Set(
  (
    "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray " +
    "stroke-dashoffset opacity clip-path clip-rule mask overflow paint-order visibility transform"
  ).split(" "),
);
const WRITTEN = ["font", "font-size", "font-family", "font-weight", "text-anchor", "letter-spacing"];
const PAINTS = new Set(["fill", "stroke"]);

type Values = { readonly [name: string]: string };

interface Writing {
  size: number;
  face: Face;
  anchor: string;
}

interface Around {
  custom: Values;
  writing: Writing;
}

/** Markup with one `<svg>` in it as SVG, under these styles; `dark` chooses among their colours. */
export function flatten(markup: string, css: string, dark: boolean): string {
  const all = rules(css);
  const show = (element: Element, around: Around): string => {
    const said = [...cascade(all, element), ...declarations(unescaped(element.attributes.get("style") ?? ""))];
    const custom = customs(said, around.custom, dark);
    const looks = new Map<string, string>();
    const words: Declarations = [];
    for (const [name, value] of [...element.attributes, ...said]) {
      if (WRITTEN.includes(name)) words.push([name, resolve(value, custom, dark)]);
      else if (LOOKS.has(name)) looks.set(name, resolve(value, custom, dark));
      else if (name === "transform-origin" || name === "display") looks.set(name, resolve(value, custom, dark));
    }
    if (looks.get("display") === "none") return "";
    const here: Around = { custom, writing: writing(words, around.writing) };
    if (element.tag === "text") return lettered(element, looks, here.writing);
    const inside = element.children.map((child) => (typeof child === "string" ? "" : show(child, here))).join("");
    if (!DRAWN.has(element.tag)) return inside;
    const places = [...element.attributes].filter(([name]) => PLACED.has(name));
    const text = element.tag === "title" || element.tag === "desc" ? element.children.join("") : inside;
    return put(element.tag, [...places, ...attributes(looks)], text);
  };
  const top: Around = { custom: {}, writing: { size: 16, face: "text", anchor: "start" } };
  return parse(markup)
    .children.map((child) => (typeof child === "string" ? "" : show(child, top)))
    .join("");
}

const LONG = /-?\d+\.\d{4,}/g;

/** An element. Numbers are rounded: engines do not agree on the last digits of a sine, and they are invisible. */
function put(tag: string, values: [string, string][], inside: string): string {
  const said = values
    .map(([name, value]) => ` ${name}="${value.replace(LONG, (long) => rounded(Number(long)))}"`)
    .join("");
  return inside ? `<${tag}${said}>${inside}</${tag}>` : `<${tag}${said}/>`;
}

const rounded = (value: number): string => String(Math.round(value * 1000) / 1000);

// Values.

function customs(said: Declarations, around: Values, dark: boolean): Values {
  const own = said.filter(([name]) => name.startsWith("--"));
  if (own.length === 0) return around;
  const raw: Values = { ...around, ...Object.fromEntries(own) };
  return { ...raw, ...Object.fromEntries(own.map(([name]) => [name, resolve(raw[name] ?? "", raw, dark)])) };
}

const VARIABLE = /var\((--[\w-]+)(?:,\s*([^()]*))?\)/;
const BY_LIGHT = /light-dark\(((?:[^()]|\([^()]*\))*)\)/;

/** A value without custom properties, by this light. */
function resolve(value: string, custom: Values, dark: boolean): string {
  let text = value.replace(/\s*!important$/, "");
  for (let found = VARIABLE.exec(text); found; found = VARIABLE.exec(text)) {
    const [whole, name = "", otherwise] = found;
    const put = custom[name] ?? otherwise;
    if (put === undefined) throw new Error(`nothing says what ${name} is`);
    text = text.replace(whole, () => put);
  }
  for (let found = BY_LIGHT.exec(text); found; found = BY_LIGHT.exec(text)) {
    text = text.replace(found[0], listed(found[1] ?? "")[dark ? 1 : 0] ?? "");
  }
  return text;
}

const RGB = /^rgb\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:\s*[/,]\s*([\d.]+)(%?))?\s*\)$/;

/** A colour that every program knows, and how much of it covers what is behind. */
function paint(value: string): { colour: string; cover: number } {
  const rgb = RGB.exec(value);
  if (rgb) {
    const [, red, green, blue, part, percent] = rgb;
    const colour = [red, green, blue].map((one) => Number(one).toString(16).padStart(2, "0")).join("");
    return { colour: `#${colour}`, cover: part === undefined ? 1 : Number(part) / (percent ? 100 : 1) };
  }
  const short = /^#([0-9a-f]{4}|[0-9a-f]{8})$/i.exec(value)?.[1];
  if (short === undefined) return { colour: value, cover: 1 };
  const digits = short.length / 4;
  const last = short.slice(-digits);
  const cover = parseInt(digits === 1 ? last + last : last, 16) / 255;
  return { colour: `#${short.slice(0, -digits)}`, cover: Math.round(cover * 1000) / 1000 };
}

function attributes(looks: Map<string, string>): [string, string][] {
  const found = new Map<string, string>();
  for (const [name, value] of looks) {
    if (name === "display" || name === "transform-origin") continue;
    if (PAINTS.has(name)) {
      const { colour, cover } = paint(value);
      found.set(name, colour);
      if (cover < 1) found.set(`${name}-opacity`, String(cover * Number(looks.get(`${name}-opacity`) ?? 1)));
    } else if (name === "transform") {
      found.set(name, moved(value, looks.get("transform-origin") ?? ""));
    } else if (!found.has(name)) found.set(name, value.replace(/(\d)px\b/g, "$1"));
  }
  return [...found];
}

/** A transform as an attribute: without units, about its origin. */
function moved(value: string, origin: string): string {
  const plain = value
    .replace(/translateY\(([^)]*)\)/g, "translate(0 $1)")
    .replace(/translateX\(([^)]*)\)/g, "translate($1 0)")
    .replace(/([\d.])(px|deg)\b/g, "$1")
    .replace(/,\s*/g, " ");
  const [x, y] = origin.split(/\s+/).map((one) => parseFloat(one));
  return x && y !== undefined ? `translate(${x} ${y}) ${plain} translate(${-x} ${-y})` : plain;
}

// Letters.

const FONT = /^(?:(\d+|bold|normal)\s+)?([\d.]+)px(?:\s*\/\s*[\d.]+\w*)?\s+(.+)$/;

function writing(words: Declarations, around: Writing): Writing {
  let { size, anchor } = around;
  let family = around.face === "title" ? "Patrick Hand" : "";
  let bold = around.face === "bold";
  const weigh = (weight: string | undefined): boolean => weight === "bold" || Number(weight) >= 600;
  for (const [name, value] of words) {
    const [, weight, pixels, named = ""] = (name === "font" && FONT.exec(value)) || [];
    if (name === "font") [bold, size, family] = [weigh(weight), Number(pixels), named];
    else if (name === "font-size") size = parseFloat(value);
    else if (name === "font-family") family = value;
    else if (name === "font-weight") bold = weigh(value);
    else if (name === "text-anchor") anchor = value;
  }
  if (!(size > 0)) throw new Error(`letters of no known size: ${words.join("; ")}`);
  return { size, anchor, face: family.includes("Patrick Hand") ? "title" : bold ? "bold" : "text" };
}

const MARKS: Values = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const unescaped = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (mark) => MARKS[mark] ?? mark);
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A line of writing, as outlines. What our fonts do not have stays text, in any font there is. */
function lettered(element: Element, looks: Map<string, string>, { size, face, anchor }: Writing): string {
  const text = unescaped(
    element.children
      .filter((child) => typeof child === "string")
      .join("")
      .trim(),
  );
  if (!text) return "";
  const { path, wide, others } = write(text, size, face);
  const left = anchor === "middle" ? wide / 2 : anchor === "end" ? wide : 0;
  const x = Number(element.attributes.get("x") ?? 0) - left;
  const y = Number(element.attributes.get("y") ?? 0);
  const outer = looks.get("transform");
  looks.set("transform", `${outer ? `${moved(outer, "")} ` : ""}translate(${rounded(x)} ${rounded(y)})`);
  looks.delete("transform-origin");
  const foreign = others.map((one) =>
    put(
      "text",
      [
        ["x", rounded(one.x)],
        ["textLength", rounded(one.wide)],
        ["lengthAdjust", "spacingAndGlyphs"],
        ["font-family", "system-ui, Noto Sans, DejaVu Sans, Segoe UI, Arial, sans-serif"],
        ["font-weight", face === "bold" ? "700" : "400"],
        ["font-size", String(size)],
      ],
      escaped(one.text),
    ),
  );
  const drawn: [string, string][] = path ? [["d", path]] : [];
  if (foreign.length === 0) return put("path", [...drawn, ...attributes(looks)], "");
  return put("g", attributes(looks), (path ? put("path", drawn, "") : "") + foreign.join(""));
}
