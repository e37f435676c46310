/** The player's record as a file. It holds no tokens of seats and no settings. */
import { book as checkBook, type Book } from "./record-book";
import { maybe, Invalid, type Check } from "./validation";

export const FORMAT = "preau-my-record";
export const VERSION = 1;
/** How large a file may be, in bytes. */
export const LARGEST = 2_000_000;

export interface Contents {
  book: Book;
  /** What came along, by name: what is known here of it. */
  parts: { [name: string]: unknown };
}

export function writeRecordFile({ book, parts }: Contents, now = Date.now()): string {
  const { games, past } = book;
  const lines = games.map((one) => `  ${JSON.stringify(one)}`).join(",\n");
  const head = JSON.stringify({ format: FORMAT, version: VERSION, saved: now, ...parts, past }, null, 1);
  return `${head.slice(0, -2)},\n "games": [${lines ? `\n${lines}\n ` : ""}]\n}\n`;
}

/** What a file says. Refused, with where it is wrong, unless all of it is right. */
export function readRecordFile(text: string, checks: { [name: string]: Check<unknown> }): Contents {
  const found = parsed(text);
  if (found["format"] !== FORMAT) throw new Invalid("", "ours");
  const version = found["version"];
  if (!Number.isInteger(version) || (version as number) < 1) throw new Invalid("version", "version");
  if ((version as number) > VERSION) throw new Invalid("", "newer", { version, known: VERSION });
  const parts = Object.entries(checks).map(([name, check]) => [name, maybe(check)(found[name], name)] as const);
  const book = checkBook({ games: found["games"], past: found["past"] ?? null }, "");
  return { book, parts: Object.fromEntries(parts.filter(([, value]) => value !== undefined)) };
}

function parsed(text: string): { [name: string]: unknown } {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === "object" && found !== null) return found as { [name: string]: unknown };
  } catch {
    // said below
  }
  throw new Invalid("", "ours");
}
