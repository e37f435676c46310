/** Markup as a tree, and CSS as rules that can be held against it: as much of both as our own drawings need. */

export interface Element {
  tag: string;
  attributes: Map<string, string>;
  classes: Set<string>;
  children: (Element | string)[];
  parent: Element | null;
}

const TOKEN = /<!--[\s\S]*?-->|<\/[\w:-]+>|<([\w:-]+)((?:\s+[\w:.-]+(?:="[^"]*")?)*)\s*(\/?)>|[^<]+/g;
const ATTRIBUTE = /([\w:.-]+)(?:="([^"]*)")?/g;

/** Markup as the compiler writes it, with every element closed; a string within is text, as it was escaped. */
export function parse(markup: string): Element {
  const top: Element = { tag: "", attributes: new Map(), classes: new Set(), children: [], parent: null };
  let open = top;
  for (const [token, tag, attributes = "", closed] of markup.matchAll(TOKEN)) {
    if (tag) {
      const found = new Map([...attributes.matchAll(ATTRIBUTE)].map(([, name = "", value = ""]) => [name, value]));
      const classes = new Set((found.get("class") ?? "").split(/\s+/).filter(Boolean));
      const element: Element = { tag, attributes: found, classes, children: [], parent: open };
      open.children.push(element);
      if (!closed) open = element;
    } else if (token.startsWith("</")) open = open.parent ?? top;
    else if (!token.startsWith("<!--")) open.children.push(token);
  }
  return top;
}

export type Declarations = [property: string, value: string][];

interface Rule {
  /** A class or tag of all elements that it can be about; nothing if it can be about any. */
  key: string;
  /** Where it stands among the others. */
  order: number;
  /** From the element itself outwards; `near`: the one before it has to be its parent. */
  compounds: { matches: (element: Element) => boolean; near: boolean }[];
  weight: number;
  declarations: Declarations;
}

/** Rules by their keys. */
type Rules = Map<string, Rule[]>;

/** The declarations of a block, in order. */
export function declarations(block: string): Declarations {
  return block
    .split(";")
    .map((one) => one.split(/:([\s\S]*)/))
    .flatMap(([property = "", value = ""]): Declarations => (value ? [[property.trim(), value.trim()]] : []));
}

/** Rules for what is always so: what depends on a window, a pointer or the time is left out. */
export function rules(css: string): Rules {
  const found: Rules = new Map();
  let order = 0;
  const text = css.replace(/\/\*[\s\S]*?\*\//g, "");
  for (let at = 0; at < text.length;) {
    const open = text.indexOf("{", at);
    if (open < 0) break;
    const head = text.slice(at, open).trim();
    const close = closing(text, open);
    at = close + 1;
    if (head.startsWith("@")) continue;
    const body = declarations(text.slice(open + 1, close));
    for (const selector of listed(head)) {
      const rule = ruleOf(selector, body, order++);
      if (rule) found.set(rule.key, [...(found.get(rule.key) ?? []), rule]);
    }
  }
  return found;
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  throw new Error("a block of CSS is not closed");
}

/** The parts between commas that are not within brackets. */
export function listed(text: string): string[] {
  return text.split(/,(?![^(]*\))/).map((one) => one.trim());
}

const COMPOUND = /\s*(>)?\s*((?:[\w*.#-]+|\[[^\]]*\]|:[\w-]+(?:\([^()]*\))?|::[\w-]+)+)/g;
const PART = /(\.|#|::?)?([\w*-]+)(?:\(([^()]*)\))?|\[([\w-]+)(?:="?([^"\]]*)"?)?\]/g;

function ruleOf(selector: string, body: Declarations, order: number): Rule | null {
  const compounds: Rule["compounds"] = [];
  let weight = 0;
  let key = "";
  for (const [, near, compound = ""] of selector.matchAll(COMPOUND)) {
    const tests: ((element: Element) => boolean)[] = [];
    key = "";
    for (const [, kind, name = "", inside = "", attribute, value] of compound.matchAll(PART)) {
      const test = attribute ? hasAttribute(attribute, value) : partOf(kind, name, inside);
      if (!test) return null;
      tests.push(test);
      if (kind === "." || (!kind && !attribute && name !== "*")) key ||= name;
      if (kind === "#") weight += 10_000;
      else if (kind === "." || attribute || (kind === ":" && name !== "where")) weight += 100;
      else if (!kind) weight += 1;
    }
    compounds.unshift({ matches: (element) => tests.every((test) => test(element)), near: near === ">" });
  }
  return { key, order, compounds, weight, declarations: body };
}

const hasAttribute =
  (name: string, value: string | undefined) =>
  ({ attributes }: Element): boolean =>
    value === undefined ? attributes.has(name) : attributes.get(name) === value;

function partOf(kind: string | undefined, name: string, inside: string): ((element: Element) => boolean) | null {
  if (!kind) return ({ tag }) => name === "*" || tag === name;
  if (kind === ".") return ({ classes }) => classes.has(name);
  if (kind === "#") return ({ attributes }) => attributes.get("id") === name;
  if (kind === ":" && name === "root") return ({ parent }) => parent !== null && parent.parent === null;
  if (kind === ":" && (name === "where" || name === "not")) {
    const parts = [...inside.matchAll(PART)].map(([, of, word = ""]) => partOf(of, word, ""));
    return (element) => parts.every((part) => part?.(element) ?? false) === (name === "where");
  }
  return null; // a pointer, the focus, or something that is not in the markup
}

function applies({ compounds }: Rule, element: Element): boolean {
  const from = (at: number, here: Element | null): boolean => {
    const compound = compounds[at];
    if (!compound) return true;
    const near = compounds[at - 1]?.near ?? at === 0;
    for (let one = here; one; one = near ? null : one.parent) {
      if (compound.matches(one) && from(at + 1, one.parent)) return true;
    }
    return false;
  };
  return from(0, element);
}

/** What the rules say of an element, what counts most last. */
export function cascade(all: Rules, element: Element): Declarations {
  return ["", element.tag, ...element.classes]
    .flatMap((key) => all.get(key) ?? [])
    .filter((rule) => applies(rule, element))
    .sort((one, other) => one.weight - other.weight || one.order - other.order)
    .flatMap((rule) => rule.declarations);
}
