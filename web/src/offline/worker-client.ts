/** The page's end of its own house of tables: requests and lines that need no server. The workers start when first needed. */
import { again } from "../lib/net/retry";
import { Refused } from "../lib/net/api";
import type { Wire } from "../lib/net/connection";
import { notices } from "../lib/ui/notices.svelte";
import { settings } from "../lib/device/settings.svelte";
import { learnWords, say } from "../lib/text/words.svelte";
import { base, keptPython, pythonList } from "./python-files";
import type { Bundle, Order, Report } from "./worker-messages";
import { readying } from "./python-status.svelte";

interface Reply {
  status: number;
  text: string;
}

/** How long somebody may think, or take to come. */
const PATIENCE = 60_000;
/** How long nothing may be heard of Python while it comes. On a slow line it tells of every piece. */
const SILENCE = 90_000;
const NOTHING = JSON.stringify({ type: "failed", error: "no worker thinks" });

let tables: Promise<Worker> | undefined;
let thinking: Promise<Worker> | undefined;
/** The compiled rules have failed somebody who thought: from now on there are plain ones. */
let broken = false;
let count = 0;
const waiting = new Map<number, (reply: Reply) => void>();
const lines = new Map<string, Wire>();

function failed(): Refused {
  return new Refused(0, { error: "Unreachable", message: "Games on this device cannot be loaded.", key: "no_local" });
}

/** A worker has ended before it said anything: its script has not come. */
class Silent extends Error {}

/** Start a worker; it is there once Python is. One whose script does not come is tried again. */
async function start(role: "tables" | "thinking", hear: (message: Report) => void): Promise<Worker> {
  try {
    return await again(
      () => startOnce(role, hear),
      (error) => error instanceof Silent,
    );
  } catch (error) {
    throw error instanceof Refused ? error : failed();
  }
}

function startOnce(role: "tables" | "thinking", hear: (message: Report) => void): Promise<Worker> {
  const found = pythonList();
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: `preau-${role}` });
  return new Promise((resolve, reject) => {
    let ready = false;
    let heard = false;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const breaks = (why: unknown) => {
      clearTimeout(silence);
      if (!ready) worker.terminate();
      reject(heard || !(why instanceof Event) ? failed() : new Silent());
    };
    /** Whoever is not heard of any more is given up, so that it can be tried again. */
    const listen = () => {
      clearTimeout(silence);
      if (!ready) silence = setTimeout(breaks, SILENCE);
    };
    listen();
    worker.onerror = breaks;
    worker.onmessage = ({ data }) => {
      const message = data as Report;
      heard = true;
      if (message.say === "ready") resolve(worker);
      ready ||= message.say === "ready";
      listen();
      if (message.say === "failed") breaks(message.why);
      hear(message);
    };
    const begin = (listed: Bundle) => {
      const bundle = broken ? { ...listed, compiled: undefined } : listed;
      worker.postMessage({ do: "begin", role, bundle, base: base() } satisfies Order);
    };
    found.then(begin).catch(breaks);
  });
}

function house(): Promise<Worker> {
  tables ??= begin();
  return tables;
}

/** Start Python before anybody needs it, where it is kept: that takes no line, and nobody waits for it then. */
export async function warmUp(): Promise<void> {
  const kept = await keptPython();
  if (kept.size === 0) return;
  const { files: all } = await pythonList();
  if (all.every(({ path }) => kept.has(base() + path))) await house();
}

/** Start Python once more after it has failed. */
export function restart(): void {
  house().catch(() => undefined); // that is shown
}

async function begin(): Promise<Worker> {
  readying.state = "loading";
  readying.part = 0;
  try {
    const worker = await start("tables", hear);
    readying.state = "ready";
    return worker;
  } catch (error) {
    readying.state = "failed";
    tables = undefined;
    throw error instanceof Refused ? error : failed();
  }
}

function hear(message: Report): void {
  switch (message.say) {
    case "loading":
      readying.part = message.total > 0 ? Math.min(1, message.loaded / message.total) : 0;
      if (readying.part === 1) readying.state = "starting";
      break;
    case "reply":
      waiting.get(message.number)?.({ status: message.status, text: message.body });
      waiting.delete(message.number);
      break;
    case "said":
      lines.get(message.line)?.onmessage?.({ data: message.text });
      break;
    case "closed":
      hangUp(message.line);
      break;
    case "think":
      void think(message.number, message.question);
      break;
    case "trouble":
      if (message.with === "unkept") readying.unkept.push(...message.tables);
      learnWords(["shared"]).then(
        () => notices.show(say(`local.${message.with}`), "bad"),
        () => undefined,
      );
      break;
    case "failed":
      console.error(message.why);
  }
}

const order = (what: Order) => house().then((worker) => worker.postMessage(what));

/** Answer a request. */
export async function answer(method: string, address: string, token?: string, body?: unknown): Promise<Reply> {
  const number = ++count;
  readying.wanted = true;
  const text = body === undefined ? "" : JSON.stringify(body);
  const reply = new Promise<Reply>((resolve) => waiting.set(number, resolve));
  try {
    await order({ do: "call", number, method, address, token: token ?? null, body: text });
  } catch (error) {
    waiting.delete(number);
    throw error;
  }
  return reply;
}

// Thinking -------------------------------------------------------------------------------------------------------------

/**
 * Have a question thought about. Whoever does not come, breaks or takes too long is replaced, and has no answer; unless it
 * had the compiled rules: then somebody with plain ones is asked.
 */
async function think(number: number, question: string): Promise<void> {
  let answer = NOTHING;
  try {
    thinking ??= start("thinking", (message) => {
      if (message.say === "ready") readying.rules = message.compiled ? "compiled" : "plain";
    });
    const worker = await inTime(thinking);
    answer = await inTime(
      new Promise<string>((resolve, reject) => {
        worker.onerror = () => reject(failed());
        worker.onmessage = ({ data }) => {
          const message = data as Report;
          if (message.say === "thought" && message.number === number) resolve(message.answer);
          else if (message.say === "failed") reject(failed());
        };
        worker.postMessage({ do: "think", number, question } satisfies Order);
      }),
    );
  } catch {
    thinking?.then(
      (worker) => worker.terminate(),
      () => undefined,
    );
    thinking = undefined;
    if (!broken && readying.rules === "compiled") {
      broken = true;
      return think(number, question);
    }
  }
  await order({ do: "answered", number, answer });
}

function inTime<T>(what: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(failed()), PATIENCE);
    what.then(resolve, reject).finally(() => clearTimeout(limit));
  });
}

// Lines ----------------------------------------------------------------------------------------------------------------

/** How long bots take at least, so that people can follow; always the same, so that it tells nothing of their thoughts. */
const pause = () => (settings.pace === "instant" ? 100 : 700);

/** Connect a line to a table. */
export async function connect(table: string, wire: Wire): Promise<void> {
  const line = String(++count);
  const worker = await house();
  if (wire.readyState !== WebSocket.CONNECTING) return; // closed meanwhile
  lines.set(line, wire);
  wire.send = (text) => worker.postMessage({ do: "hear", line, text, pause: pause() } satisfies Order);
  wire.close = () => {
    if (!lines.delete(line)) return;
    wire.readyState = WebSocket.CLOSED;
    worker.postMessage({ do: "hang_up", line } satisfies Order);
  };
  worker.postMessage({ do: "open", line, table } satisfies Order);
  wire.readyState = WebSocket.OPEN;
  wire.onopen?.();
}

function hangUp(line: string): void {
  const wire = lines.get(line);
  lines.delete(line);
  if (!wire) return;
  wire.readyState = WebSocket.CLOSED;
  wire.onclose?.();
}
