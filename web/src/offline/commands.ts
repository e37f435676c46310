/**
 * Commands to the host in Python, and what comes of them: the structs of `preau.browser.commands` and `effects`, written
 * by hand. A test in tests/browser compares the names.
 */
import type { Stored, Write } from "./storage";

/** A question to the worker that thinks, or its answer (`preau.host.questions`). The page only passes them on. */
export type Message = { type: string } & Record<string, unknown>;

export type Command =
  | { do: "call"; method: string; address: string; token: string | null; body: string }
  | { do: "open"; line: string; table: string }
  /** `pause`: how long bots take at least from now on, in milliseconds. */
  | { do: "hear"; line: string; text: string; pause: number }
  | { do: "hang_up"; line: string }
  | { do: "restore"; stored: Stored }
  | { do: "lost"; table: string }
  | { do: "think"; number: number; question: Message }
  | { do: "answered"; number: number; answer: Message }
  | { do: "sweep" };

export interface Effects {
  writes?: Write[];
  gone?: string[];
  sent?: [line: string, text: string][];
  closed?: string[];
  asks?: { number: number; question: Message; heavy: boolean }[];
  wake?: number | null;
}

export interface Done {
  effects: Effects;
  status?: number;
  body?: string;
  /** Tables that the command concerns and Python does not have: nothing was done, the command is to be repeated. */
  needs?: string[];
}
