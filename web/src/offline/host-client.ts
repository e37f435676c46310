/** The page's side of the offline host: sends requests and messages to workers, which start when they are first needed. */
import { retry } from "../lib/net/retry";
import { Refused } from "../lib/net/api";
import type { SocketLike } from "../lib/net/connection";
import { notices } from "../lib/ui/notices.svelte";
import { settings } from "../lib/device/settings.svelte";
import { loadWords, say } from "../lib/text/words.svelte";
import { base, keptPython, pythonList } from "./python-files";
import type { Bundle, WorkerRequest, WorkerMessage } from "./worker-messages";
import { pythonStatus } from "./python-status.svelte";

interface Reply {
  status: number;
  text: string;
}

/** How long a worker may think, or take to start, in milliseconds. */
const THINK_TIMEOUT = 60_000;
/** How long a worker may be silent while it loads Python, in milliseconds. It reports every piece. */
const SILENCE_LIMIT = 90_000;
const NO_ANSWER = JSON.stringify({ type: "failed", error: "no worker thinks" });

let tablesStarting: Promise<Worker> | undefined;
let thinkingStarting: Promise<Worker> | undefined;
/** The compiled rules have failed in the thinking worker: from now on it uses the plain ones. */
let compiledBroken = false;
let lastNumber = 0;
const waiting = new Map<number, (reply: Reply) => void>();
const sockets = new Map<string, SocketLike>();

function failed(): Refused {
  return new Refused(0, { error: "Unreachable", message: "Games on this device cannot be loaded.", key: "no_local" });
}

/** A worker has ended before it said anything: its script has not come. */
class Silent extends Error {}

/** Start a worker; it is there once Python is. One whose script does not come is tried again. */
async function start(role: "tables" | "thinking", receive: (message: WorkerMessage) => void): Promise<Worker> {
  try {
    return await retry(
      () => startOnce(role, receive),
      (error) => error instanceof Silent,
    );
  } catch (error) {
    throw error instanceof Refused ? error : failed();
  }
}

function startOnce(role: "tables" | "thinking", receive: (message: WorkerMessage) => void): Promise<Worker> {
  const found = pythonList();
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: `preau-${role}` });
  return new Promise((resolve, reject) => {
    let ready = false;
    let hasReported = false;
    let silenceTimer: ReturnType<typeof setTimeout> | undefined;
    const fail = (why: unknown) => {
      clearTimeout(silenceTimer);
      if (!ready) worker.terminate();
      reject(hasReported || !(why instanceof Event) ? failed() : new Silent());
    };
    /** Give up a worker that has been silent for too long, so that it can be started again. */
    const restartTimer = () => {
      clearTimeout(silenceTimer);
      if (!ready) silenceTimer = setTimeout(fail, SILENCE_LIMIT);
    };
    restartTimer();
    worker.onerror = fail;
    worker.onmessage = ({ data }) => {
      const message = data as WorkerMessage;
      hasReported = true;
      if (message.say === "ready") resolve(worker);
      ready ||= message.say === "ready";
      restartTimer();
      if (message.say === "failed") fail(message.why);
      receive(message);
    };
    const begin = (listed: Bundle) => {
      const bundle = compiledBroken ? { ...listed, compiled: undefined } : listed;
      worker.postMessage({ do: "begin", role, bundle, base: base() } satisfies WorkerRequest);
    };
    found.then(begin).catch(fail);
  });
}

function tablesWorker(): Promise<Worker> {
  tablesStarting ??= startTables();
  return tablesStarting;
}

/** Start Python before it is needed, if all its files are stored here, so that nothing has to be loaded. */
export async function startIfCached(): Promise<void> {
  const kept = await keptPython();
  if (kept.size === 0) return;
  const { files: all } = await pythonList();
  if (all.every(({ path }) => kept.has(base() + path))) await tablesWorker();
}

/** Start Python once more after it has failed. */
export function restart(): void {
  tablesWorker().catch(() => undefined); // that is shown
}

async function startTables(): Promise<Worker> {
  pythonStatus.state = "loading";
  pythonStatus.part = 0;
  try {
    const worker = await start("tables", receive);
    pythonStatus.state = "ready";
    return worker;
  } catch (error) {
    pythonStatus.state = "failed";
    tablesStarting = undefined;
    throw error instanceof Refused ? error : failed();
  }
}

function receive(message: WorkerMessage): void {
  switch (message.say) {
    case "loading":
      pythonStatus.part = message.total > 0 ? Math.min(1, message.loaded / message.total) : 0;
      if (pythonStatus.part === 1) pythonStatus.state = "starting";
      break;
    case "reply":
      waiting.get(message.number)?.({ status: message.status, text: message.body });
      waiting.delete(message.number);
      break;
    case "said":
      sockets.get(message.line)?.onmessage?.({ data: message.text });
      break;
    case "closed":
      socketClosed(message.line);
      break;
    case "think":
      void think(message.number, message.question);
      break;
    case "trouble":
      if (message.with === "unkept") pythonStatus.unkept.push(...message.tables);
      loadWords(["shared"]).then(
        () => notices.show(say(`local.${message.with}`), "bad"),
        () => undefined,
      );
      break;
    case "failed":
      console.error(message.why);
  }
}

const send = (what: WorkerRequest) => tablesWorker().then((worker) => worker.postMessage(what));

/** Send a request to the offline host. */
export async function request(method: string, address: string, token?: string, body?: unknown): Promise<Reply> {
  const number = ++lastNumber;
  pythonStatus.wanted = true;
  const text = body === undefined ? "" : JSON.stringify(body);
  const reply = new Promise<Reply>((resolve) => waiting.set(number, resolve));
  try {
    await send({ do: "call", number, method, address, token: token ?? null, body: text });
  } catch (error) {
    waiting.delete(number);
    throw error;
  }
  return reply;
}

// Thinking -------------------------------------------------------------------------------------------------------------

/**
 * Have the thinking worker answer a question. A worker that does not start, fails or takes too long is replaced and gives
 * no answer; if it had the compiled rules, one with the plain rules is asked.
 */
async function think(number: number, question: string): Promise<void> {
  let answer = NO_ANSWER;
  try {
    thinkingStarting ??= start("thinking", (message) => {
      if (message.say === "ready") pythonStatus.rules = message.compiled ? "compiled" : "plain";
    });
    const worker = await inTime(thinkingStarting);
    answer = await inTime(
      new Promise<string>((resolve, reject) => {
        worker.onerror = () => reject(failed());
        worker.onmessage = ({ data }) => {
          const message = data as WorkerMessage;
          if (message.say === "thought" && message.number === number) resolve(message.answer);
          else if (message.say === "failed") reject(failed());
        };
        worker.postMessage({ do: "think", number, question } satisfies WorkerRequest);
      }),
    );
  } catch {
    thinkingStarting?.then(
      (worker) => worker.terminate(),
      () => undefined,
    );
    thinkingStarting = undefined;
    if (!compiledBroken && pythonStatus.rules === "compiled") {
      compiledBroken = true;
      return think(number, question);
    }
  }
  await send({ do: "answered", number, answer });
}

function inTime<T>(what: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(failed()), THINK_TIMEOUT);
    what.then(resolve, reject).finally(() => clearTimeout(limit));
  });
}

// Sockets --------------------------------------------------------------------------------------------------------------

/** How long bots take at least, so that people can follow; always the same, so that it tells nothing of their thoughts. */
const pause = () => (settings.pace === "instant" ? 100 : 700);

/** Connect a socket to a table. `line` is its name in messages of the worker. */
export async function connect(table: string, socket: SocketLike): Promise<void> {
  const line = String(++lastNumber);
  const worker = await tablesWorker();
  if (socket.readyState !== WebSocket.CONNECTING) return; // closed meanwhile
  sockets.set(line, socket);
  socket.send = (text) => worker.postMessage({ do: "hear", line, text, pause: pause() } satisfies WorkerRequest);
  socket.close = () => {
    if (!sockets.delete(line)) return;
    socket.readyState = WebSocket.CLOSED;
    worker.postMessage({ do: "hang_up", line } satisfies WorkerRequest);
  };
  worker.postMessage({ do: "open", line, table } satisfies WorkerRequest);
  socket.readyState = WebSocket.OPEN;
  socket.onopen?.();
}

function socketClosed(line: string): void {
  const socket = sockets.get(line);
  sockets.delete(line);
  if (!socket) return;
  socket.readyState = WebSocket.CLOSED;
  socket.onclose?.();
}
