/**
 * The typed HTTP client. The server answers; for tables on this device, and where no server can be reached, the offline
 * host answers (../offline). Every failure is a `Refused` with words for it.
 */
import { MAX_RETRY_AFTER_S, isTemporary, pause, retryAfter, RETRY_DELAYS } from "./retry";
import { fitsHere, isLocal } from "../device/local-tables";
import { serverStatus } from "./server-status.svelte";
import { STATIC_SITE } from "../navigation/address";
import type {
  AskReplay,
  Challenge,
  Challenges,
  Book,
  Found,
  Gallery,
  GameInfo,
  GameTexts,
  Invitation,
  Json,
  Moving,
  NewTable,
  Practice,
  Practised,
  Problem,
  PuzzleInfo,
  Puzzling,
  Replay,
  ReviewInfo,
  Seated,
  SetSeat,
  StudyInfo,
  TableInfo,
  TakeSeat,
  TogetherLink,
} from "./protocol";

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
    private readonly after = 0,
  ) {
    super(problem.message);
  }

  /** After how many seconds the server wants to be asked again; 0 if it does not say. */
  get seconds(): number {
    return this.after || Number(this.problem.params?.["seconds"] ?? 0);
  }

  /** The server could not be reached at all. */
  get offline(): boolean {
    return this.status === 0;
  }
}

interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  body?: unknown;
  token?: string | undefined;
  /** The request changes nothing, whatever its method: it may be retried. */
  reads?: boolean;
  /** Whether this device answers: always, or if no server does. */
  here?: boolean | "else";
}

/** How long a response may take, in milliseconds. */
const TIMEOUT = 30_000;

export async function call<T>(path: string, { here = false, ...wish }: RequestOptions = {}): Promise<T> {
  if (here === true) return callDevice(path, wish);
  try {
    if (here && serverStatus.unreachable && !(await serverStatus.probe())) return unreachable(); // sooner than by asking
    return await callServer(path, wish, !here);
  } catch (error) {
    if (!here || !(error instanceof Refused) || !error.offline) throw error;
    if (await serverStatus.probe()) {
      if (wish.method) throw error; // perhaps it was done
      return callServer(path, wish, true);
    }
    return callDevice<T>(path, wish).catch((other: unknown) => {
      // Nothing answers here either, or the page's own Python does not have the game: only the server could answer.
      const onlyServer = other instanceof Refused && (other.offline || other.problem.key === "no_game");
      throw onlyServer ? error : other;
    });
  }
}

async function callDevice<T>(path: string, { method = "GET", body, token }: RequestOptions): Promise<T> {
  const { request } = await import("../../offline/host-client").catch(unreachable);
  const { status, text } = await request(method, path, token, body);
  return read(status, text);
}

function unreachable(): never {
  if (STATIC_SITE) throw new Refused(0, { error: "NoServer", message: "This page has no server.", key: "no_server" });
  throw new Refused(0, { error: "Unreachable", message: "The server cannot be reached.", key: "unreachable" });
}

/**
 * Ask the server. A request that only reads is retried after a failed response, or when the server is busy. A request over
 * a rate limit is retried, because nothing was done; if the server says when, the page counts down (`rateLimitWaits`).
 * A request that changes something is not sent again to a busy server: it may have been done too late for the response.
 */
async function callServer<T>(path: string, wish: RequestOptions, alone: boolean): Promise<T> {
  if (STATIC_SITE) return unreachable();
  for (let tries = 0; ; tries++) {
    try {
      return await askServer(path, wish);
    } catch (error) {
      const wait = RETRY_DELAYS[tries];
      if (wait === undefined || !(error instanceof Refused)) throw error;
      const { seconds, problem } = error;
      const reads = !wish.method || wish.reads;
      if (seconds > MAX_RETRY_AFTER_S) throw error;
      if (problem.key === "rate" || (reads && problem.key === "busy")) {
        const { rateLimitWaits } = await import("./rate-limit-waits.svelte");
        await rateLimitWaits.wait(problem, seconds || tries + 1);
      } else if (reads && (error.offline ? alone && navigator.onLine : isTemporary(error.status)))
        await pause(Math.max(wait, seconds * 1000));
      else throw error;
    }
  }
}

async function askServer<T>(path: string, { method = "GET", body, token }: RequestOptions): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  let response: Response;
  let text: string;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    text = await response.text(); // an answer may break off, too
    serverStatus.unreachable = false;
  } catch {
    serverStatus.unreachable = true;
    return unreachable();
  }
  return read(response.status, text, retryAfter(response));
}

function read<T>(status: number, text: string, seconds = 0): T {
  if (status < 300) return (text ? JSON.parse(text) : undefined) as T;
  let problem: Problem;
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    problem = { error: "Unreadable", message: `The server answered with ${status}.`, key: "unreachable" };
  }
  throw new Refused(status, problem, seconds);
}

const dayAt = (game: string, day: string) => `/challenges/${encodeURIComponent(game)}/${encodeURIComponent(day)}`;
const at = (id: string) => `/tables/${encodeURIComponent(id)}`;

/** Of a game; this device knows it, too. */
const about = <T>(game: string, what: string) =>
  call<T>(`/games/${encodeURIComponent(game)}/${what}`, { here: "else" });
/** At a table; those on this device are asked here. */
const table = <T>(id: string, what = "", wish: RequestOptions = {}) =>
  call<T>(at(id) + what, { ...wish, here: isLocal(id) });
/** What any of them answers from what is sent along. */
const ask = <T>(path: string, body: unknown) => call<T>(path, { method: "POST", body, reads: true, here: "else" });

export const api = {
  games: () => call<GameInfo[]>("/games", { here: "else" }),
  texts: (game: string, language: string) => about<GameTexts>(game, `texts/${language}`),
  book: (game: string) => about<Book>(game, "book"),
  gallery: (game: string) => about<Gallery>(game, "gallery"),
  studies: (language: string) => call<StudyInfo[]>(`/studies/${language}`),
  practice: (wish: Practice) => ask<Practised>("/practice", wish),
  puzzles: (game: string) => about<PuzzleInfo[]>(game, "puzzles"),
  puzzle: (wish: Puzzling) => ask<Practised>("/puzzle", wish),
  challenges: () => call<Challenges>("/challenges"),
  challenge: (game: string, day: string) => call<Challenge>(dayAt(game, day)),
  tryChallenge: (game: string, day: string, name: string) =>
    call<Seated>(dayAt(game, day), { method: "POST", body: name ? { name } : {} }),
  tables: () => call<TableInfo[]>("/tables"),
  table: (id: string) => table<TableInfo>(id),
  invitation: (id: string) => table<Invitation>(id, "/invitation"),
  find: (code: string) => call<Found>(`/codes/${encodeURIComponent(code)}`),
  /** Make a table; on this device if that is wanted, or if no server answers and no player has to join from elsewhere. */
  make: (
    wish: NewTable,
    here: boolean | "else" = isLocal(wish.from?.table ?? "") || (fitsHere(wish.seats) && "else"),
  ) => call<Seated>("/tables", { method: "POST", body: wish, here }),
  join: (id: string, wish: TakeSeat, token?: string) =>
    table<Seated>(id, "/join", { method: "POST", body: wish, token }),
  setSeat: (id: string, seat: number, wish: SetSeat, token?: string) =>
    table<TableInfo>(id, `/seats/${seat}`, { method: "PUT", body: wish, token }),
  swap: (id: string, one: number, other: number, token: string) =>
    table<TableInfo>(id, "/swap", { method: "POST", body: { one, other }, token }),
  start: (id: string, token: string) => table<TableInfo>(id, "/start", { method: "POST", token }),
  leave: (id: string, token: string) => table<void>(id, "/leave", { method: "POST", token }),
  rematch: (id: string, token: string) => table<Found>(id, "/rematch", { method: "POST", token }),
  move: (id: string, token: string) => table<Moving>(id, "/move", { method: "POST", token }),
  /** Forget a table on this device. */
  forget: (id: string, token: string) => table<void>(id, "", { method: "DELETE", token }),
  /** What a server is to be asked for, so that a game on this device is played on there. */
  away: (id: string, token: string) => table<NewTable>(id, "/away", { token }),
  redeem: (code: string) => call<Seated>("/move", { method: "POST", body: { code } }),
  replay: (id: string, seat: number | null, first: number, count: number, token?: string) => {
    const eyes = seat === null ? "" : `seat=${seat}&`;
    return table<Replay>(id, `/replay?${eyes}first=${first}&count=${count}`, { token });
  },
  replayFile: (wish: AskReplay) => ask<Replay>("/replay", wish),
  record: (id: string) =>
    table<{ result: Json; actions: [number, string][]; times?: (number | null)[] }>(id, "/record"),
  askReview: (id: string) => table<ReviewInfo>(id, "/review", { method: "POST" }),
  review: (id: string) => table<ReviewInfo>(id, "/review"),
  askFileReview: (record: Json) => call<ReviewInfo>("/reviews", { method: "POST", body: { record }, here: "else" }),
  fileReview: (name: string) => call<ReviewInfo>(`/reviews/${encodeURIComponent(name)}`, { here: "else" }),
  together: (id: string) => table<TogetherLink>(id, "/together", { method: "POST" }),
  socketUrl: (id: string) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api${at(id)}/socket`,
  recordUrl: (id: string) => `/api${at(id)}/record`,
};
