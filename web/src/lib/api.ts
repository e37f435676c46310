/** The server's HTTP interface, typed. Every failure is a `Refused` with words for it. */
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
} from "./wire";

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }

  /** The server could not be reached at all. */
  get offline(): boolean {
    return this.status === 0;
  }
}

interface Call {
  method?: "GET" | "POST" | "PUT";
  body?: unknown;
  token?: string | undefined;
}

const PATIENCE = 60_000;

export async function call<T>(path: string, { method = "GET", body, token }: Call = {}): Promise<T> {
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
      signal: AbortSignal.timeout(PATIENCE),
    });
    text = await response.text(); // an answer may break off, too
  } catch {
    throw new Refused(0, { error: "Unreachable", message: "The server cannot be reached.", key: "unreachable" });
  }
  if (response.ok) return (response.status === 204 ? undefined : JSON.parse(text)) as T;
  let problem: Problem;
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    problem = { error: "Unreadable", message: `The server answered with ${response.status}.`, key: "unreachable" };
  }
  throw new Refused(response.status, problem);
}

/** The server gives at most so many steps of a replay at a time. */
export const FRAMES = 50;

const dayAt = (game: string, day: string) => `/challenges/${encodeURIComponent(game)}/${encodeURIComponent(day)}`;
const at = (id: string) => `/tables/${encodeURIComponent(id)}`;

export const api = {
  games: () => call<GameInfo[]>("/games"),
  texts: (game: string, language: string) => call<GameTexts>(`/games/${encodeURIComponent(game)}/texts/${language}`),
  book: (game: string) => call<Book>(`/games/${encodeURIComponent(game)}/book`),
  gallery: (game: string) => call<Gallery>(`/games/${encodeURIComponent(game)}/gallery`),
  studies: (language: string) => call<StudyInfo[]>(`/studies/${language}`),
  practice: (wish: Practice) => call<Practised>("/practice", { method: "POST", body: wish }),
  puzzles: (game: string) => call<PuzzleInfo[]>(`/games/${encodeURIComponent(game)}/puzzles`),
  puzzle: (wish: Puzzling) => call<Practised>("/puzzle", { method: "POST", body: wish }),
  challenges: () => call<Challenges>("/challenges"),
  challenge: (game: string, day: string) => call<Challenge>(dayAt(game, day)),
  tryChallenge: (game: string, day: string, name: string) =>
    call<Seated>(dayAt(game, day), { method: "POST", body: name ? { name } : {} }),
  tables: () => call<TableInfo[]>("/tables"),
  table: (id: string) => call<TableInfo>(at(id)),
  invitation: (id: string) => call<Invitation>(`${at(id)}/invitation`),
  find: (code: string) => call<Found>(`/codes/${encodeURIComponent(code)}`),
  make: (wish: NewTable) => call<Seated>("/tables", { method: "POST", body: wish }),
  join: (id: string, wish: TakeSeat, token?: string) =>
    call<Seated>(`${at(id)}/join`, { method: "POST", body: wish, token }),
  setSeat: (id: string, seat: number, wish: SetSeat, token?: string) =>
    call<TableInfo>(`${at(id)}/seats/${seat}`, { method: "PUT", body: wish, token }),
  swap: (id: string, one: number, other: number, token: string) =>
    call<TableInfo>(`${at(id)}/swap`, { method: "POST", body: { one, other }, token }),
  start: (id: string, token: string) => call<TableInfo>(`${at(id)}/start`, { method: "POST", token }),
  leave: (id: string, token: string) => call<void>(`${at(id)}/leave`, { method: "POST", token }),
  rematch: (id: string, token: string) => call<Found>(`${at(id)}/rematch`, { method: "POST", token }),
  move: (id: string, token: string) => call<Moving>(`${at(id)}/move`, { method: "POST", token }),
  redeem: (code: string) => call<Seated>("/move", { method: "POST", body: { code } }),
  replay: (id: string, seat: number | null, first: number, count: number, token?: string) => {
    const eyes = seat === null ? "" : `seat=${seat}&`;
    return call<Replay>(`${at(id)}/replay?${eyes}first=${first}&count=${count}`, { token });
  },
  replayFile: (wish: AskReplay) => call<Replay>("/replay", { method: "POST", body: wish }),
  record: (id: string) =>
    call<{ result: Json; actions: [number, string][]; times?: (number | null)[] }>(`${at(id)}/record`),
  askReview: (id: string) => call<ReviewInfo>(`${at(id)}/review`, { method: "POST" }),
  review: (id: string) => call<ReviewInfo>(`${at(id)}/review`),
  askFileReview: (record: Json) => call<ReviewInfo>("/reviews", { method: "POST", body: { record } }),
  fileReview: (name: string) => call<ReviewInfo>(`/reviews/${encodeURIComponent(name)}`),
  together: (id: string) => call<TogetherLink>(`${at(id)}/together`, { method: "POST" }),
  socketUrl: (id: string) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api${at(id)}/socket`,
  recordUrl: (id: string) => `/api${at(id)}/record`,
};

/** Every view of a finished game, as everybody saw it. */
export async function story(replay: (first: number, count: number) => Promise<Replay>): Promise<Json[]> {
  const views: Json[] = [];
  for (let total = 1; views.length < total;) {
    const part = await replay(views.length, FRAMES);
    views.push(...(part.frames ?? []).map(({ view }) => view));
    total = part.frames?.length ? part.total : 0;
  }
  return views;
}
