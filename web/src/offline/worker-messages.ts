/** What the page and its workers say to each other. */
import type { Command } from "./commands";

/** A file of the page's own Python: what is sent has `bytes`, or `brotli` from a server; `sha256` is of the unpacked file. */
export interface BundleFile {
  path: string;
  bytes: number;
  brotli: number;
  sha256: string;
}

/** offline.json: the files of the page's own Python, with their addresses beside that file (see tools/offline.py). */
export interface Bundle {
  index: string;
  stdlib: string;
  package: string;
  /** The compiled rules, if they were made: whoever thinks has them. */
  compiled?: string;
  lock: object;
  files: BundleFile[];
  /** Data comes gzipped, under names that say so: there is nobody to pack it on the way. */
  packed?: boolean;
}

/** From the page: the first message names the worker's role, the others are commands or come with texts for Python. */
export type Order =
  | { do: "begin"; role: "tables" | "thinking"; bundle: Bundle; base: string }
  | ({ number: number } & Extract<Command, { do: "call" }>)
  | Extract<Command, { do: "open" | "hear" | "hang_up" }>
  | { do: "think"; number: number; question: string }
  | { do: "answered"; number: number; answer: string };

/** From a worker. */
export type Report =
  | { say: "loading"; loaded: number; total: number }
  /** `compiled`: whether the rules that run there are. */
  | { say: "ready"; compiled: boolean }
  | { say: "failed"; why: string }
  | { say: "reply"; number: number; status: number; body: string }
  | { say: "said"; line: string; text: string }
  | { say: "closed"; line: string }
  | { say: "think"; number: number; question: string }
  | { say: "thought"; number: number; answer: string }
  /** The browser does not keep something, or does not say what it has kept. */
  | { say: "trouble"; with: "unkept" | "unread"; tables: string[] };
