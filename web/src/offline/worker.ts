/**
 * A web worker with Python in it: the offline host of the tables on this device (`preau.browser`), or the thinking worker.
 * The effects of a request happen in order: written to storage, then sent, then questions asked and the timer set.
 */
import type { WorkerRequest, WorkerMessage } from "./worker-messages";
import { startPython } from "./python";
import type { Command, Done, Message } from "./commands";
import { listTables, load, write, type Write } from "./storage";

/** The two ends of `preau.browser.worker_entry`. */
interface OfflineHost {
  do(what: string): string;
}
interface Thinker {
  think(question: string): string;
}

/** The longest delay that a timer takes; Python notices if it is woken too early. */
const MAX_TIMER = 2 ** 31 - 1;
const FAULT = JSON.stringify({ error: "Fault", message: "Something went wrong on this device. Nothing was changed." });
const STALE = JSON.stringify({ error: "TooLate", message: "Something has happened since.", key: "stale" });

const report = (message: WorkerMessage) => postMessage(message);

let host: OfflineHost;
let thinker: Thinker;
/** Tables that Python has. */
const loadedTables = new Set<string>();
/** Other windows that play at the same tables. */
const otherWindows = new BroadcastChannel("preau.tables");
let wakeTimer: ReturnType<typeof setTimeout> | undefined;
/** Tables of which the browser has not taken something: from then on they are in memory alone. */
const unkept = new Set<string>();
/** One thing after the other: between two of them Python is never half done. */
let queue: Promise<unknown> = Promise.resolve();

function inTurn(work: () => Promise<unknown>): void {
  queue = queue.then(work).catch((error: unknown) => report({ say: "failed", why: String(error) }));
}

interface PythonModule {
  COMPILED: boolean;
  HostWorker(kept: string): OfflineHost;
  ThinkWorker(): Thinker;
}

/** Start Python. The thinking worker has the compiled rules, if there are any; where they fail, the plain ones. */
async function wake({ role, bundle, base }: Extract<WorkerRequest, { do: "begin" }>): Promise<PythonModule> {
  const start = async (compiled?: string) => {
    const loading = (loaded: number, total: number) => report({ say: "loading", loaded, total });
    return (await startPython(bundle, base, loading, compiled)).pyimport("preau.browser.worker_entry") as PythonModule;
  };
  if (role === "tables" || !bundle.compiled) return start();
  return start(bundle.compiled).catch((error: unknown) => {
    console.info(error);
    return start();
  });
}

async function begin(order: Extract<WorkerRequest, { do: "begin" }>): Promise<void> {
  const { COMPILED, HostWorker, ThinkWorker } = await wake(order);
  const { role } = order;
  if (role === "thinking") thinker = ThinkWorker();
  else {
    host = HostWorker(JSON.stringify(await listTables().catch(() => [])));
    otherWindows.onmessage = ({ data }) =>
      inTurn(() => refresh((data as string[]).filter((table) => loadedTables.has(table))));
  }
  report({ say: "ready", compiled: COMPILED });
}

/**
 * Carry out a command and its effects; null if another window was first. Stored tables that it concerns are loaded before
 * it is repeated; `absent` are those that are not stored.
 */
async function run(command: Command, absent: string[] = []): Promise<Done | null> {
  const done = JSON.parse(host.do(JSON.stringify({ ...command, absent }))) as Done;
  if (done.needs) {
    await loadTables(done.needs);
    return run(command, [...absent, ...done.needs]);
  }
  const { writes = [], gone = [], sent = [], closed = [], asks = [], wake } = done.effects;
  const changed = [...new Set([...writes.map(({ table }) => table), ...gone])];
  const { first, lost } = await written(writes, gone);
  if (first) {
    for (const { table } of writes) loadedTables.add(table);
    for (const table of gone) loadedTables.delete(table);
    const told = changed.filter((table) => !unkept.has(table));
    if (told.length > 0) otherWindows.postMessage(told);
    for (const [line, text] of sent) report({ say: "said", line, text });
    if (lost.length > 0) report({ say: "trouble", with: "unkept", tables: lost }); // last, so that it is not cleared away
  }
  for (const line of closed) report({ say: "closed", line });
  for (const { number, question, heavy } of asks) {
    if (heavy) report({ say: "think", number, question: JSON.stringify(question) });
    // not at once: what has come meanwhile goes first
    else setTimeout(() => inTurn(() => run({ do: "think", number, question })));
  }
  clearTimeout(wakeTimer);
  if (wake != null) {
    const wait = Math.min(Math.max(0, wake - Date.now()), MAX_TIMER);
    wakeTimer = setTimeout(() => inTurn(() => run({ do: "sweep" })), wait);
  }
  if (!first) await refresh(changed); // which tells all viewers how the tables stand instead
  return first ? done : null;
}

/**
 * Write to storage. `first` tells whether no other window was first, `lost` which tables the browser does not store: where
 * it has no room or stores nothing, the game goes on all the same.
 */
async function written(writes: Write[], gone: string[]): Promise<{ first: boolean; lost: string[] }> {
  const taken = writes.filter(({ table }) => !unkept.has(table));
  if (taken.length + gone.length === 0) return { first: true, lost: [] };
  try {
    return { first: await write(taken, gone), lost: [] };
  } catch (error) {
    console.info(error);
    const lost = taken.map(({ table }) => table);
    for (const table of lost) unkept.add(table);
    return { first: true, lost };
  }
}

/** Tables as another window has left them. */
async function refresh(tables: string[]): Promise<void> {
  for (const table of tables.filter((one) => !unkept.has(one))) {
    const stored = await load(table);
    if (stored) loadedTables.add(table);
    if (stored) await run({ do: "restore", stored });
    else if (loadedTables.delete(table)) await run({ do: "lost", table });
  }
}

/** Load tables into Python as far as they are stored. */
async function loadTables(tables: string[]): Promise<void> {
  await refresh(tables).catch((error: unknown) => {
    console.info(error);
    report({ say: "trouble", with: "unread", tables });
  });
}

async function handleRequest(order: Extract<WorkerRequest, { do: "call" }>): Promise<{ status: number; body: string }> {
  try {
    const { method, address, token, body } = order;
    const done = await run({ do: "call", method, address, token, body });
    return done ? { status: done.status ?? 0, body: done.body ?? "" } : { status: 409, body: STALE };
  } catch (error) {
    console.error(error);
    return { status: 500, body: FAULT };
  }
}

async function handle(order: WorkerRequest): Promise<void> {
  switch (order.do) {
    case "begin":
      return begin(order);
    case "think":
      return report({ say: "thought", number: order.number, answer: thinker.think(order.question) });
    case "answered":
      await run({ do: "answered", number: order.number, answer: JSON.parse(order.answer) as Message });
      return;
    case "call":
      return report({ say: "reply", number: order.number, ...(await handleRequest(order)) });
    default:
      await run(order);
  }
}

addEventListener("message", ({ data }) => inTurn(() => handle(data as WorkerRequest)));
