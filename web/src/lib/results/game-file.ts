/** Games from files: read, and kept for as long as this tab is open. The server says whether they can be believed. */
import { gameInfo } from "../catalogue/games";
import { FORMAT as MY_RECORD } from "./record-file";
import type { Json } from "../net/protocol";

/** How large a file may be, in bytes. Records are sometimes formatted for reading, so this is generous. */
export const LARGEST = 500_000;
/** How large the part may be that is sent to the server: without spaces, and only what a replay needs. */
export const MOST = 60_000;
/** The newest are kept. */
export const MAX_GAME_FILES = 4;

const RECORD = "preau-record/1";
const STORE = "preau.files";

/** A record as far as the page reads it; the rest is for the server. */
export interface Recorded extends Json {
  game: string;
  seats: number;
  actions: [number, string][];
  result?: Json;
  meta?: Json;
}

export interface GameFile {
  /** Its place in an address, `file-1a2b3c4d`: the same for the same game. */
  id: string;
  record: Recorded;
  /** It is one position, and nothing was played yet. */
  position: boolean;
}

/** Why a file cannot be opened: a text, with its parameters. */
export class InvalidGameFile extends Error {
  constructor(
    readonly key: string,
    readonly params: object = {},
  ) {
    super(key);
  }
}

/** Whether a part of an address is a file's. */
export function isFile(id: string): boolean {
  return id.startsWith("file-");
}

/** The game in a file: a record, or a position. */
export function readGameFile(text: string): GameFile {
  const found = parsed(text);
  if (found["format"] === MY_RECORD) throw new InvalidGameFile("file.mine");
  const position = found["format"] === undefined && !("actions" in found);
  const record = slim(position ? fromPosition(found) : found);
  const { format, game, seats, actions } = record;
  if (typeof format !== "string" || typeof game !== "string" || !Number.isInteger(seats) || !Array.isArray(actions))
    throw new InvalidGameFile("why.record_format");
  const written = JSON.stringify(record);
  if (written.length > MOST) throw new InvalidGameFile("file.large", { most: LARGEST / 1_000 });
  return { id: `file-${sum(written)}`, record: record as Recorded, position };
}

function parsed(text: string): Json {
  const found = json(text) ?? undefined;
  if (typeof found === "object" && !Array.isArray(found)) return found as Json;
  const lines = text.split("\n").filter((line) => line.trim());
  throw new InvalidGameFile(lines.length > 1 && lines.every((line) => json(line)) ? "file.several" : "file.unreadable");
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A position as the record of a game that begins there. */
function fromPosition(start: Json): Json {
  const { game, rules = gameInfo(String(game))?.rules, seats, options = {} } = start;
  if (typeof game !== "string") throw new InvalidGameFile("why.record_format");
  return { format: RECORD, game, rules, seats, options, start, actions: [] };
}

/** What a replay needs: who played, and which challenge it was. */
function slim({ times: _, meta, ...record }: Json): Json {
  if (typeof meta !== "object" || meta === null) return record;
  const { names, challenge } = meta as Json;
  return { ...record, meta: { ...(names ? { names } : {}), ...(challenge ? { challenge } : {}) } };
}

/** A short name for a text. */
function sum(text: string): string {
  let found = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) found = Math.imul(found ^ text.charCodeAt(at), 0x01000193);
  return (found >>> 0).toString(16).padStart(8, "0");
}

/** Those of this tab, the newest last. A browser that keeps nothing has them until the page is loaded anew. */
let files: readonly GameFile[] = [];

export function keepGameFile(file: GameFile): void {
  files = [...stored().filter(({ id }) => id !== file.id), file].slice(-MAX_GAME_FILES);
  try {
    sessionStorage.setItem(STORE, JSON.stringify(files));
  } catch {
    // they stay in memory
  }
}

export function findGameFile(id: string): GameFile | undefined {
  return stored().find((file) => file.id === id);
}

function stored(): readonly GameFile[] {
  if (files.length > 0) return files;
  try {
    files = JSON.parse(sessionStorage.getItem(STORE) ?? "[]") as GameFile[];
  } catch {
    // as if there were none
  }
  return files;
}
