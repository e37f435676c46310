/** The messages between the page and its workers. `line` names a socket. */
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
  /** The compiled rules, if they were built: the thinking worker has them. */
  compiled?: string;
  lock: object;
  files: BundleFile[];
  /** Files are gzipped, under names that say so, because the host does not compress them. */
  packed?: boolean;
}

/** From the page: the first message tells a worker its role, the others are commands or texts for Python. */
export type WorkerRequest =
  | { do: "begin"; role: "tables" | "thinking"; bundle: Bundle; base: string }
  | ({ number: number } & Extract<Command, { do: "call" }>)
  | Extract<Command, { do: "open" | "hear" | "hang_up" }>
  | { do: "think"; number: number; question: string }
  | { do: "answered"; number: number; answer: string };

/** From a worker. */
export type WorkerMessage =
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
