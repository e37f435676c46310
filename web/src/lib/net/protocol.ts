// Made by `python -m preau.codegen.typescript` from preau/table/protocol. Do not edit.

export type Json = { [name: string]: unknown };

/** How hard a review has looked; the same strength and seed give the same figures everywhere. */
export interface StrengthSaid {
  name: string;
  seed: number;
  simulations: number;
  playouts: number;
  draws: number;
  sampled: boolean;
}

/** What a seat chose, beside what was best by what it could know then. */
export interface Decision {
  step: number;
  seat: number;
  action: string;
  legal: number;
  best: string;
  chance: number;
  stake: number;
  gap: number;
  regret: number;
  error: number;
  low: number;
  high: number;
  called: "best" | "good" | "inaccuracy" | "mistake";
  do: Json | null;
  line: [number, string][];
  reasons: Json[];
  but: boolean;
}

/** What chance has changed for every seat; `race` where the fastest hand has decided, which counts as chance. */
export interface Luck {
  step: number;
  changes: number[];
  errors: number[];
  race: boolean;
}

/** Errors of what a seat's game came to. */
export interface Parts {
  start: number;
  play: number;
  luck: number;
  rest: number;
}

/** A seat's game: `start` + `play` + `luck` + `rest` = `end`. */
export interface Standing {
  seat: number;
  start: number;
  end: number;
  play: number;
  luck: number;
  rest: number;
  errors: Parts;
  decisions: number;
  accuracy: number | null;
  accuracy_error: number;
  called: { [name in "best" | "good" | "inaccuracy" | "mistake"]?: number };
}

/** A step that has changed much: `seat` has gained or lost the most, by a choice of `actor` or by chance. */
export interface Turning {
  step: number;
  cause: "choice" | "luck" | "race" | "clock";
  actor: number;
  seat: number;
  change: number;
  error: number;
  changes: number[];
}

/** A whole review. */
export interface Review {
  format: string;
  game: string;
  rules: string;
  seats: number;
  steps: number;
  strength: StrengthSaid;
  chances: number[][];
  errors: number[][];
  decisions: Decision[];
  luck: Luck[];
  standings: Standing[];
  turning: Turning[];
}

/** The first message. Without a token: a spectator. `last`: the last number seen, to get only what was missed. `opening`: show how the game began, if this person has not decided anything yet. */
export interface Join {
  type: "join";
  token?: string | null;
  seat?: number | null;
  last?: number | null;
  opening?: boolean;
}

/** An action. `at` is the last number the client has seen; `id` makes sending it again harmless. */
export interface Act {
  type: "act";
  id: string;
  at: number;
  action: string;
  seat?: number | null;
  delay?: number | null;
}

/** Take back the own last decision, or ask the others to agree to that, if more than it would be undone. */
export interface Undo {
  type: "undo";
  at: number;
  seat?: number | null;
}

/** Yes or no to what is asked (`asks`). */
export interface Agree {
  type: "agree";
  at: number;
  yes: boolean;
  seat?: number | null;
}

/** Yes or no to arm wrestling for the first place that several share (`contest`). */
export interface Wrestle {
  type: "wrestle";
  yes: boolean;
  seat?: number | null;
}

/** How often a seat has tapped so far in a round of arm wrestling, on the client's own clock. Send it at most five times a second, and once at the end. */
export interface Pull {
  type: "pull";
  round: number;
  count: number;
  seat?: number | null;
}

/** Ask for a hint, where everybody else at the table is a bot: the best idea, or with a higher `rank` the next best. Answered by `hinted`. */
export interface AskHint {
  type: "hint";
  at: number;
  seat?: number | null;
  rank?: number;
}

/** Pass and play: look through the eyes of another of one's own seats, or, without a seat, at what everybody may see while the device goes from hand to hand. Answered by `hello`. */
export interface Look {
  type: "look";
  seat?: number | null;
}

/** Ask for `hello` again. */
export interface Resync {
  type: "resync";
  last?: number | null;
}

/** Chat: a text, or a ready-made phrase. */
export interface Say {
  type: "say";
  text?: string | null;
  phrase?: "hello" | "good_luck" | "well_played" | "thanks" | "oops" | "sorry" | "hurry" | "thinking" | "one_moment" | "again" | "bye" | null;
}

/** Are you there? Send it 2.5 s after the last answer; without an answer for 9 s, reconnect. */
export interface Ping {
  type: "ping";
  n: number;
}

/** The answer to the server's ping; the server measures the line with it. */
export interface Pong {
  type: "pong";
  n: number;
}

/** Something shown on the board: an `arrow` from one place to another, or a `ring` round one. Places are called as in the game's views and actions; never is there anything else in it. */
export interface Mark {
  kind: "arrow" | "ring";
  at: string;
  to?: string | null;
}

/** Look at a finished game together with others who have the same link (`together`): whatever is shown comes as `led`. Without a link: no longer. */
export interface Follow {
  type: "follow";
  together?: string | null;
}

/** Show a step of a finished game to all who follow, through whose eyes (`all`: every hand is open), and with which marks; for whoever has the `key` of the link. */
export interface Lead {
  type: "lead";
  together: string;
  key: string;
  step: number;
  eyes?: number | "all" | null;
  marks?: Mark[];
  name?: string;
  review?: boolean;
  playing?: boolean;
}

/** The same in both languages. */
export interface Words {
  en: string;
  fr: string;
}

/** The table that needs no questions: how many seats, how well the bots play, which options. */
export interface UsualTable {
  seats: number;
  level: string;
  options: Json;
}

/** A chapter of a game's rule book and the rule it begins with; it goes on to the next chapter's first. */
export interface Chapter {
  name: string;
  first: string;
  title: Words;
}

/** The table at which the challenge of the day of a game is played. `levels` are those of the bots by seat, with nothing for one's own `seat`. What counts is one's own score. */
export interface ChallengePlan {
  seat: number;
  levels: string[];
  options: Json;
  about: Words;
}

/** An option of a game: what it is called, what it does, which values it takes and what those are called. `choices` are all values of a choice; `low` and `high` bound a number; `named` are the values with a name among those of an option that takes more than names. `values` says what a value is called, by its text form. */
export interface GameOption {
  name: string;
  type: "switch" | "choice" | "number" | "seat" | "data" | "text";
  default: boolean | number | string;
  choices: (boolean | number | string)[];
  named: string[];
  low: number | null;
  high: number | null;
  rule: string;
  title: Words | null;
  about: Words;
  values: { [name: string]: Words };
}

/** A game on offer, with all that is needed to offer it. They come in the order in which they are offered. */
export interface GameInfo {
  id: string;
  titles: Words;
  about: Words | null;
  seats: number[];
  rules: string;
  usual: UsualTable;
  chapters: Chapter[];
  options: GameOption[];
  secrets: boolean;
  settle_ties: string;
  picture: string;
  bots: string[];
  lesson: string[];
  reactions: { [name: string]: number[] };
  puzzles?: number;
  challenge?: ChallengePlan | null;
  gallery?: boolean;
  on_device?: boolean;
}

/** The rules of a game by id, in one language. */
export interface RuleTexts {
  game: string;
  language: "en" | "fr";
  rules: { [name: string]: string };
}

/** All messages of a game in one language. */
export interface GameTexts {
  game: string;
  language: "en" | "fr";
  messages: { [name: string]: string };
}

/** A picture of a game's rule book: positions as `seat` sees them, and everything that happens between and after them. `open` are actions that may be done in the first of them, `refused` some that may not. How it is drawn, `picture`, is the game's own. Its words are `book.<name>.title`, `.text` and `.alt` in the game's texts. */
export interface Figure {
  name: string;
  rules: string[];
  seat: number;
  views: Json[];
  events: Json[];
  open: string[];
  refused: string[];
  picture: Json;
  result?: Json | null;
}

/** GET /api/games/{game}/book: the pictures of a rule book in order; a game without has none. */
export interface Book {
  game: string;
  figures: Figure[];
}

/** One kind of card or piece in a game's box. What it is called and what it does are texts of the game: `title` and `about` are their keys, `params` what is told in them. `sources` says of each datum where it comes from; where it says nothing, all is on the sheet. `each`: so many `copies` are there for each player. */
export interface Thing {
  name: string;
  kind: string;
  copies: number;
  rule: string;
  title: string;
  about: string;
  params?: Json;
  sources?: { [name: string]: string };
  each?: boolean;
}

/** All things of one set. */
export interface Box {
  name: string;
  things: Thing[];
}

/** GET /api/games/{game}/gallery: everything in its box, or boxes, the usual one first; `option` is the one whose values they are named by, if there are several. */
export interface Gallery {
  game: string;
  boxes: Box[];
  option?: string;
}

/** One figure of a study: what it is, what is said of it for each set of rules and of how these differ, and for a share its value with both ends of its interval. */
export interface StudyLine {
  label: string;
  said: string[];
  gap?: string;
  shares?: (number[] | null)[];
  wins?: boolean;
  thing?: boolean;
}

/** A published study in the reader's language. `rules` names the one or two sets of rules; `fair` is what each seat would win if all were alike. */
export interface StudyInfo {
  id: string;
  game: string;
  title: string;
  about: string;
  command: string;
  games: number;
  rules: string[];
  fair: number;
  lines: StudyLine[];
}

/** POST /api/practice: an exercise and what the learner has done in it so far. Nothing is kept: to take something back is to send less. */
export interface Practice {
  game: string;
  exercise: string;
  actions?: string[];
}

/** A puzzle of a game, without its solution. What it asks is in the game's texts, `puzzle.<theme>.task`, with the parameters of the `task` and the `seat`. */
export interface PuzzleInfo {
  id: string;
  theme: string;
  difficulty: number;
  seat: number;
  task?: Json;
}

/** POST /api/puzzle: a puzzle and what the solver has done so far, as with `Practice`. With the wish for a `hint` or the `solution`, the answer has that, too. */
export interface Puzzling {
  game: string;
  id: string;
  actions?: string[];
  wish?: "" | "hint" | "solution";
}

/** POST /api/challenges/{game}/{day}: sit down to try it. Answered by `Seated`. */
export interface TryChallenge {
  name?: string;
}

/** GET /api/challenges: which day it is for challenges, in UTC; the first there was; when the next begins, and what time it is now, in milliseconds since the epoch; the games that have one. */
export interface Challenges {
  today: string;
  first: string;
  next: number;
  now: number;
  games: string[];
}

/** GET /api/challenges/{game}/{day}. `kind` says what chance follows from: the date and a secret of the `server`, or the `date` alone. Once the day is over, `key` is what it all followed from, for whoever wants to check records. */
export interface Challenge {
  game: string;
  day: string;
  today: string;
  kind: "server" | "date";
  key?: string;
}

/** How an exercise or a puzzle stands: the `moments` since the learner's last action, or since the beginning if there is none, the first of those being how it began. It is `going`, `done`, or `astray`: then `said` is what is to be said of it, a word of the game's texts (`lesson.<exercise>.<said>`), or nothing. `show` is the next action of a way to do an exercise, as long as the learner is on that way. */
export interface Practised {
  seat: number;
  moments: Moment[];
  legal: string[];
  verdict: "going" | "done" | "astray";
  said: string;
  show: string;
  result?: Json | null;
  solution?: SolutionInfo | null;
}

/** What the proof of a puzzle says. Of a `turn`: `good` of its `many` ways reach the goal. Of a `count` over `many` positions, and of a `chance` estimated in `many` games: what the `best` choice is worth, the `next` best, and `yours` if it was another one; chances count from 0 to 1. */
export interface FiguresInfo {
  kind: "turn" | "count" | "chance";
  many: number;
  good?: number;
  best?: number;
  next?: number;
  yours?: number | null;
}

/** What there is to say about a puzzle. `line` is what was wished for: the next action for a hint, or the rest of a solution, which goes on after the first `since` actions; of whatever has solved it, all of it. `right` is how many of the legal actions lead to a solution, with a hint. `against` is the action that was not right, with what speaks against it. */
export interface SolutionInfo {
  line?: Told[];
  point?: number;
  since?: number;
  right?: number;
  against?: Told | null;
  figures?: FiguresInfo | null;
}

/** What happened in one step, for the log: events as this viewer sees them. */
export interface Step {
  number: number;
  actor: number;
  time: number;
  events: Json[];
  eased?: string;
  late?: boolean;
}

/** How things stood after a step of the opening, as this viewer saw them, and what had happened in it. */
export interface Moment {
  number: number;
  actor: number;
  events: Json[];
  view: Json;
  prompt: Json;
  to_act: number[];
}

/** An action and what is worth saying about it. `do` and `reasons` are keys of the game's texts with their parameters, like events. */
export interface Told {
  action: string;
  do?: Json | null;
  reasons?: Json[];
  but?: boolean;
}

/** POST /api/tables/{id}/calls: have a browser called when it is one's turn; what its push subscription says. */
export interface CallMe {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: "en" | "fr";
}

/** POST /api/tables/{id}/calls/end: do not call that browser any more. */
export interface EndCalls {
  endpoint: string;
}

/** POST /api/tables/{id}/mail: be written to when it is one's turn, once whoever reads that mailbox has agreed. */
export interface WriteMe {
  address: string;
  language: "en" | "fr";
}

/** POST /api/mail: agree, with what the link in the mail says. */
export interface MailCode {
  code: string;
}

/** GET /api/calls: how this server can tell people that it is their turn. Without a `key` it calls no browsers. */
export interface Calling {
  key?: string;
  mail?: boolean;
}

/** GET /api/tables/{id}/mail: whether one is written to; `asked` until whoever reads the mailbox has agreed. */
export interface Mail {
  state: "off" | "asked" | "on";
}

/** One step of a replay through one seat's eyes. */
export interface Frame {
  number: number;
  actor: number;
  action: string;
  time: number;
  events: Json[];
  view: Json;
}

/** A place in a finished game to jump to: the step with which a turn begins and the event that says so. A game without turns has a place for every step, with who took it and no event. */
export interface Turn {
  number: number;
  seat: number;
  event?: Json;
}

/** Part of a finished game; `total` steps in all. The part that begins with step 0 names the `turns` of all. */
export interface Replay {
  seat: number | null;
  total: number;
  frames: Frame[];
  turns?: Turn[];
}

/** POST /api/replay: part of a recorded game that is handed in, as GET /api/tables/{id}/replay has it of a table's. A record that breaks off is shown as far as it goes. */
export interface AskReplay {
  record: Json;
  seat?: number | null;
  first?: number;
  count?: number;
}

/** POST /api/reviews: have a recorded game reviewed. */
export interface AskReview {
  record: Json;
}

/** How a review stands: `done` pieces `of` all, and how many reviews (`place`) come before it. One that `failed` can be asked for again. Once it is done, `review` is what it says (`preau-review/1`). */
export interface ReviewInfo {
  id: string;
  status: "waiting" | "working" | "done" | "failed";
  of: number;
  done?: number;
  place?: number;
  review?: Review | null;
}

/** POST /api/tables/{id}/together: a link under which a finished game is looked at together. Whoever has the link follows; whoever has the `key`, which is told this once, leads. `qr` is an SVG picture of the link. */
export interface TogetherLink {
  id: string;
  key: string;
  url: string;
  qr: string;
}

/** A seat's time: when it runs out, in milliseconds since the epoch. */
export interface Clock {
  seat: number;
  ends: number;
}

/** A line of chat. Three phrases are the table's own, about whoever is called `name`: `left`, `came` (to a seat that was left) and `back` (to the seat they had left). */
export interface ChatLine {
  id: number;
  seat: number | null;
  name: string;
  time: number;
  text?: string;
  phrase?: string;
}

/** Somebody asks for steps to be taken back; the people whose seats are `needed` have to agree. */
export interface Asking {
  at: number;
  by: number;
  agreed: number[];
  needed: number[];
}

/** One of those who share the first place. */
export interface Puller {
  seat: number;
  level?: string;
  pace?: number;
  yes?: boolean;
  count?: number | null;
}

/** Arm wrestling for a first place that several share. It changes nothing in the record and its ranking. */
export interface Contest {
  phase: "asked" | "pulling" | "over" | "declined";
  rule: string;
  pullers: Puller[];
  no?: number | null;
  round?: number;
  rounds: number;
  starts?: number;
  lasts: number;
  winner?: number | null;
  interrupted?: boolean;
}

/** Which seats are connected, how many watch, and for whom the others wait. */
export interface Presence {
  here: number[];
  watching: number;
  away?: Clock[];
}

/** Everything this viewer may know. After it, every `step` counts on from `number`. */
export interface HelloMessage {
  type: "hello";
  protocol: number;
  table: TableInfo;
  seat: number | null;
  seats: number[];
  host: boolean;
  number: number;
  view: Json | null;
  prompt: Json | null;
  legal: string[];
  to_act: number[];
  asked: number;
  log: Step[];
  gap: boolean;
  clocks: Clock[];
  presence: Presence;
  chat: ChatLine[];
  asks: Asking | null;
  undo: boolean;
  now: number;
  result: Json | null;
  contest: Contest | null;
  opening?: Moment[];
  series?: Series | null;
}

/** One step: an action (number `first` in the record) and what chance did after it, up to `number`. `view` is all that is to be seen now. */
export interface StepMessage {
  type: "step";
  first: number;
  number: number;
  actor: number;
  time: number;
  events: Json[];
  eased?: string;
  late?: boolean;
  view: Json;
  prompt: Json;
  legal?: string[];
  to_act: number[];
  asked: number;
  clocks?: Clock[];
  undo?: boolean;
  undone?: number | null;
  result?: Json | null;
  contest?: Contest | null;
  series?: Series | null;
  id?: string | null;
}

/** The action with this id is in the record, under this number (sent again when it is sent again). */
export interface AckMessage {
  type: "ack";
  id: string;
  number: number;
}

/** An action or request that changed nothing, and why. `id` is empty for messages that have none. */
export interface RefusedMessage {
  type: "refused";
  id?: string;
  number?: number;
  error?: string;
  message?: string;
  rule?: string;
  field?: string;
  hint?: string;
  key?: string;
  params?: Json;
}

/** An action that a hint speaks of; `value` is the chance to win. */
export interface IdeaInfo {
  action: string;
  do?: Json | null;
  reasons?: Json[];
  but?: boolean;
  value: number;
}

/** The answer to `hint`, made from what the asking seat sees. */
export interface HintedMessage {
  type: "hinted";
  at: number;
  seat: number;
  rank?: number;
  more?: boolean;
  idea: IdeaInfo;
  otherwise?: IdeaInfo | null;
  close?: boolean;
}

/** The table or its seats have changed. */
export interface TableMessage {
  type: "table";
  table: TableInfo;
  seats: number[];
  host: boolean;
}

/** Who is here has changed. */
export interface PresenceMessage {
  type: "presence";
  here: number[];
  watching: number;
  away?: Clock[];
}

/** A line of chat. */
export interface ChatMessage {
  type: "chat";
  line: ChatLine;
}

/** A question to the people at the table, or null when it is settled. */
export interface AsksMessage {
  type: "asks";
  asks: Asking | null;
}

/** How the arm wrestling stands, with the server's clock. */
export interface ContestMessage {
  type: "contest";
  contest: Contest;
  now: number;
}

/** The taps of a round so far, in the order of `pullers`. */
export interface PullsMessage {
  type: "pulls";
  round: number;
  counts: number[];
}

/** What is shown to those who look at a game together: the answer to `follow`, and whenever it changes. `leading` says whether whoever made the link is here; if not, it is what they showed last. */
export interface LedMessage {
  type: "led";
  together: string;
  step: number;
  eyes?: number | "all" | null;
  marks?: Mark[];
  name?: string;
  review?: boolean;
  playing?: boolean;
  leading: boolean;
  looking?: number;
  number?: number;
}

/** Answer with `pong` and the same `n` at once. */
export interface PingMessage {
  type: "ping";
  n: number;
}

/** The answer to the client's ping, with the server's clock. */
export interface PongMessage {
  type: "pong";
  n: number;
  now: number;
}

/** The server closes the connection. `again` says whether connecting anew makes sense, and `seconds` after which time, where that is known. */
export interface ByeMessage {
  type: "bye";
  reason: "unknown" | "token" | "removed" | "moved" | "slow" | "silent" | "rate" | "full" | "protocol" | "restart" | "busy" | "rules";
  again: boolean;
  seconds?: number | null;
}

/** Whether this process can do its work. */
export interface Health {
  status: "ok" | "degraded";
  version: string;
  database: boolean;
  redis: boolean | null;
  tables: number;
  sockets: number;
  warning?: string | null;
}

/** A refusal: what was wrong, the rule or field, what would be right. */
export interface Problem {
  error: string;
  message: string;
  rule?: string;
  field?: string;
  hint?: string;
  key?: string;
  params?: Json;
}

/** How long a seat may take. `turn`: seconds of sand a turn; `days`: days a move; `off`: for ever. */
export interface Timer {
  kind?: "off" | "turn" | "days";
  amount?: number;
}

/** What a seat is to be: mine (one per person on this device), a bot of a level, or open to whoever comes. */
export interface SeatWish {
  kind?: "me" | "bot" | "open";
  level?: string;
  name?: string;
}

/** Where a new table begins, if not at the beginning: after a `step` of a finished game (of a `table`, or of a `record` that is handed in), at a `position` that is handed in, or at a `puzzle` of the game. Exactly one of these. Steps are those of the replay: 0 is the start, after what chance did there. With `eyes`, all that this seat does not know is drawn anew; without, it is as it was. A puzzle is always played on from what its own seat knows. */
export interface PlayOn {
  table?: string | null;
  record?: Json | null;
  position?: Json | null;
  puzzle?: string | null;
  step?: number;
  eyes?: number | null;
}

/** POST /api/tables. */
export interface NewTable {
  game: string;
  seats: SeatWish[];
  options?: Json;
  visibility?: "link" | "listed";
  timer?: Timer;
  start?: boolean;
  from?: PlayOn | null;
  newcomers?: boolean;
  hints?: boolean;
}

/** POST /api/tables/{id}/join. With a token, the seat is taken by the same person as before (pass and play); with the token of somebody who left, that person comes back. */
export interface TakeSeat {
  name?: string;
  seat?: number | null;
}

/** PUT /api/tables/{id}/seats/{seat}: before the start, by the host; after it, to ask a bot in or out, and for a seat that was left to agree (`open`) or not (`bot`) that somebody takes it. */
export interface SetSeat {
  kind: "bot" | "open" | "back";
  level?: string;
}

/** POST /api/tables/{id}/swap: exchange two seats before the start; the host only. */
export interface Swap {
  one: number;
  other: number;
}

/** POST /api/move: use a one-time link; the old device's token ends. */
export interface Redeem {
  code: string;
}

/** One seat as everybody sees it. `stand_in` is the level of a bot that plays while the person is away. A seat that was left in a game under way is `open`, with the `name` of whoever left and the `level` of the bot that plays on; `agreed` are those who agree that it is taken again. */
export interface SeatInfo {
  seat: number;
  kind: "person" | "bot" | "open";
  name?: string;
  level?: string;
  stand_in?: string;
  host?: boolean;
  agreed?: number[];
}

/** Where the game of a table was played on from: after a `step` of the `table` or the record of a finished game, at a position or a `puzzle`. With `eyes`, what this seat did not know was drawn anew. */
export interface Origin {
  kind: "table" | "record" | "position" | "puzzle";
  table?: string;
  puzzle?: string;
  step?: number;
  eyes?: number | null;
}

/** A game of the evening that is over, seat by seat: who sat there (`levels` are those of bots), who won. */
export interface PlayedInfo {
  table: string;
  names: string[];
  levels: string[];
  scores: number[];
  winners: number[];
  wrestled?: boolean;
}

/** What somebody has won in an evening: a person or a bot of a `level`. Whoever is not `here`, at this table, any more is known by their name alone. `seat` is where they sat last. */
export interface Scorer {
  name: string;
  level: string;
  here: boolean;
  seat?: number;
  played?: number;
  won?: number;
  shared?: number;
}

/** The games of an evening: those of a table and of the tables it is the rematch of, the oldest first, and who has won what, the best first. `forgotten` games before these do not count any more. */
export interface Series {
  games: PlayedInfo[];
  score: Scorer[];
  forgotten?: number;
}

/** A table as everybody sees it. */
export interface TableInfo {
  id: string;
  code: string;
  game: string;
  rules: string;
  options: Json;
  seats: SeatInfo[];
  visibility: "link" | "listed";
  timer: Timer;
  status: "waiting" | "playing" | "over";
  created: number;
  rematch?: string;
  newcomers?: boolean;
  hints?: boolean;
  hinted?: number;
  challenge?: string;
  origin?: Origin | null;
  series?: Series | null;
  to_act?: number[] | null;
}

/** The answer to creating, joining and moving: the token is told this once. */
export interface Seated {
  table: TableInfo;
  token: string;
  seats: number[];
  host: boolean;
}

/** A one-time link for another device, with `code` behind the `#`, where no log sees it; `qr` is an SVG picture. */
export interface Moving {
  code: string;
  url: string;
  expires: number;
  qr: string;
}

/** GET /api/tables/{id}/invitation: the table's link; `qr` is an SVG picture of it. */
export interface Invitation {
  url: string;
  qr: string;
}

/** GET /api/codes/{code}. */
export interface Found {
  id: string;
}

export type ClientMessage = Join | Act | Undo | Agree | Wrestle | Pull | AskHint | Look | Resync | Say | Follow | Lead | Ping | Pong;

export type ServerMessage = HelloMessage | StepMessage | AckMessage | RefusedMessage | HintedMessage | TableMessage | PresenceMessage | ChatMessage | AsksMessage | ContestMessage | PullsMessage | LedMessage | PingMessage | PongMessage | ByeMessage;

export const PROTOCOL = 1;
