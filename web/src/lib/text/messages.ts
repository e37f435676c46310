/**
 * Sentences in the reader's language, from keys and parameters: the same small part of the ICU message syntax as
 * preau/core/texts.py, and the same messages.
 */
/** What is filled in, by name: a game's event or prompt, or a few words. */
export type Params = object;

const SENTENCES = new Set(["event", "prompt", "wait", "why", "rule"]);
const ELIDED = /\b(d|qu)e $/i;
const VOWEL = /^([aàâäæeéèêëhiîïoôöœuùûü]|y(?![aeiou]))/i;

export class Texts {
  constructor(
    readonly language: "en" | "fr",
    readonly messages: { readonly [key: string]: string },
    readonly names: readonly string[] = [],
    /** The seat that is spoken to as "you". */
    readonly reader: number | null = null,
  ) {}

  has(key: string): boolean {
    return Object.hasOwn(this.messages, key);
  }

  /** The message with its parameters filled in. A missing text shows as its key: seen at once, and the tests look for it. */
  say(key: string, params: Params = {}): string {
    const message = this.has(key) ? this.messages[key] : undefined;
    if (message === undefined) return `⟨${key}⟩`;
    const said = typeset(this.fill(message, params, null), this.language);
    return SENTENCES.has(key.split(".")[0] ?? "") ? said.charAt(0).toUpperCase() + said.slice(1) : said;
  }

  /** The same messages, with these names for the seats. */
  named(names: readonly string[]): Texts {
    return new Texts(this.language, this.messages, names, this.reader);
  }

  /** The same messages, as this seat reads them. */
  to(reader: number | null): Texts {
    return new Texts(this.language, this.messages, this.names, reader);
  }

  seat(seat: number): string {
    return this.names[seat] ?? (this.has("seat") ? this.say("seat", { number: seat + 1 }) : String(seat + 1));
  }

  private fill(message: string, params: Params, count: unknown): string {
    let out = "";
    for (let at = 0; at < message.length; at++) {
      const char = message[at];
      if (char === "{") {
        const end = closing(message, at);
        const said = this.placeholder(message.slice(at + 1, end), params);
        if (this.language === "fr" && ELIDED.test(out) && VOWEL.test(said)) out = `${out.slice(0, -2)}'`;
        out += said;
        at = end;
      } else {
        out += char === "#" && count !== null ? String(count) : char;
      }
    }
    return out;
  }

  private placeholder(inside: string, params: Params): string {
    const [name = "", kind = "", rest = ""] = split(inside);
    const value: unknown = Reflect.get(params, name);
    if (kind === "") return String(value ?? "");
    if (kind === "seat") return this.seat(Number(value));
    if (kind === "seats") return this.list((value as number[]).map((seat) => this.seat(seat)));
    if (kind === "plural" || kind === "select" || kind === "person") {
      const cases = branches(rest);
      const count = Array.isArray(value) ? value.length : value;
      for (const name of this.cases(kind, count)) {
        const message = cases.get(name);
        if (message !== undefined) return this.fill(message, params, kind === "plural" ? count : null);
      }
      return "";
    }
    if (Array.isArray(value)) return this.list(value.map((one) => this.say(`${kind}.${one}`, params)));
    return this.say(`${kind}.${String(value)}`, params);
  }

  /** "Ann, Bo and Cy". */
  list(words: readonly string[]): string {
    const before = words.slice(0, -1).join(", ");
    const link = this.language === "fr" ? " et " : " and ";
    return before ? before + link + words.at(-1) : (words[0] ?? "");
  }

  private cases(kind: "plural" | "select" | "person", value: unknown): string[] {
    if (kind === "person") return [this.reader !== null && value === this.reader ? "you" : "other"];
    if (kind === "select") return [String(value), "other"];
    const one = this.language === "fr" ? value === 0 || value === 1 : value === 1;
    return one ? [`=${value}`, "one", "other"] : [`=${value}`, "other"];
  }
}

/** Apostrophes and French spaces as printers set them. */
export function typeset(text: string, language: "en" | "fr"): string {
  const said = text.replaceAll("'", "’");
  return language === "fr" ? said.replace(/ ([!?:;…»])|(«) /g, "$2\u202f$1") : said;
}

/** As the beginning of a sentence, or on a button. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "name, kind, rest" at the first two commas. */
function split(inside: string): [string, string, string] {
  const first = inside.indexOf(",");
  if (first < 0) return [inside.trim(), "", ""];
  const second = inside.indexOf(",", first + 1);
  const kind = second < 0 ? inside.slice(first + 1) : inside.slice(first + 1, second);
  return [inside.slice(0, first).trim(), kind.trim(), second < 0 ? "" : inside.slice(second + 1)];
}

function closing(message: string, start: number): number {
  let depth = 0;
  for (let at = start; at < message.length; at++) {
    if (message[at] === "{") depth++;
    else if (message[at] === "}" && --depth === 0) return at;
  }
  return message.length;
}

function branches(text: string): Map<string, string> {
  const cases = new Map<string, string>();
  for (let at = 0; ;) {
    const start = text.indexOf("{", at);
    if (start < 0) return cases;
    const end = closing(text, start);
    cases.set(text.slice(at, start).trim(), text.slice(start + 1, end));
    at = end + 1;
  }
}
