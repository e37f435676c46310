// Made by `python -m preau.codegen.typescript recess` from preau/games/recess/shapes.py. Do not edit.

export type Json = { [name: string]: unknown };

export type ChildName = "b1" | "b2" | "g1" | "g2";

export type PhaseName = "choose" | "move" | "tell" | "shove" | "nun" | "over";

export type StepState = "done" | "now" | "lost" | "past" | "ahead";

export type Loss = "detention" | "stay" | "unused";

export type Cost = "none" | "detention" | "stay" | "both";

export type Risk = "none" | "detention";

export type Landing = "tattle" | "shove" | "safe" | "catch" | "kiss" | "break" | "fight";

export type EndReason = "kiss" | "clock";

export type Thing = "S" | "M" | "T" | "W" | "B" | "C";

/** The options in force. */
export interface Options {
  layout: string;
  sections: string | Json;
  first: number;
  turns: number;
  equal_turns: boolean;
  exits: "three" | "corner";
  shove: 8 | 4;
  nun_may_stay: boolean;
}

/** Two children on one cell (R22). */
export interface Fight {
  cell: string;
  attacker: string;
  victim: string;
}

/** What was done in this turn. Lists of children are left out where they are empty. */
export interface Step {
  from?: string;
  phase: PhaseName;
  movement: number;
  undecided?: ChildName[];
  staying?: ChildName[];
  leaving?: ChildName[];
  moved?: ChildName[];
  freed?: ChildName[];
  watched?: ChildName[];
  serving?: ChildName[];
  hand?: string;
  waiting?: string;
  teller?: ChildName;
}

/** How the game ended: without a kisser by the clock. */
export interface End {
  kisser?: number;
}

/** The cells that each entrance opens on (R4). */
export interface Exits {
  boys: string[];
  girls: string[];
}

/** At the beginning of a turn. */
export interface ChoosePrompt {
  seat: number;
  owner: number;
  coins: number;
  child: ChildName;
  cell: string;
  movement: number;
  risk: Risk;
  key: "prompt.choose" | "wait.choose";
}

/** At a movement. */
export interface MovePrompt {
  seat: number;
  cost: Cost;
  lost: number;
  movement: number;
  key: "prompt.move" | "wait.move";
}

/** After landing on a nun. */
export interface TellPrompt {
  seat: number;
  child: ChildName;
  key: "prompt.tell" | "wait.tell";
}

/** While pieces make room. */
export interface ShovePrompt {
  seat: number;
  piece: ChildName | "nun";
  owner: number;
  key: "prompt.shove" | "wait.shove";
}

/** At the end of a turn. */
export interface NunPrompt {
  seat: number;
  cost: Cost;
  lost: number;
  key: "prompt.nun" | "wait.nun";
}

/** At the end of a turn, with a duty (R32). */
export interface DutyPrompt {
  seat: number;
  key: "prompt.duty" | "wait.duty";
}

/** At the end of the game. */
export interface OverPrompt {
  winners: number[];
  winner: number;
  reason: EndReason;
  key: "prompt.over";
}

/** Passing (R9), leaving (R10), breaking up (R26), a cell that a nun sees (R18). */
export interface MeansPlain {
  key: "means.pass" | "means.leave" | "means.break" | "means.watched";
}

/** Staying takes a coin and costs a movement (R10, R11). */
export interface MeansStay {
  owner: number;
  coins: number;
  key: "means.stay";
  movement: number;
  risk: Risk;
}

/** A fight takes a coin (R18). */
export interface MeansFight {
  owner: number;
  coins: number;
  key: "means.fight";
}

/** A kiss ends the game (R33): the coins of all, and who wins. */
export interface MeansKiss {
  key: "means.kiss";
  coins: number[];
  winners: number[];
}

/** A nun on a fight sends its attacker to detention (R30). */
export interface MeansCaught {
  key: "means.caught";
  attacker: ChildName;
  bully: number;
}

/** A nun sees fights from there (R24). */
export interface MeansSight {
  key: "means.sight";
  fights: string[];
}

/** What a seat sees: the whole position, what is asked, and what the rules make of it. */
export interface View {
  game: "recess";
  rules: string;
  seats: number;
  options: Options;
  turn: number;
  active: number;
  coins: number[];
  children: { [name: string]: string };
  nuns: string[];
  fights: Fight[];
  detention: string[];
  step?: Step;
  end?: End;
  yard: string;
  safety: string[];
  exits: Exits;
  seen: string[];
  steps: StepState[];
  losses: { [name: string]: Loss };
  seat: number | null;
  prompt: Prompt;
  landings: { [name: string]: Landing };
  means: { [name: string]: MeansPlain | MeansStay | MeansFight | MeansKiss | MeansCaught | MeansSight };
  sights: { [name: string]: string };
}

/** What the result says besides coins and ranks. */
export interface Detail {
  kisser?: number;
}

/** R7: the clock moves on. */
export interface TurnEvent {
  seat: number;
  turn: number;
  of: number;
}

/** Something that needs no more words; every event names the active seat. */
export interface SeatEvent {
  seat: number;
}

/** R12: a movement is lost or skipped. */
export interface MovementEvent {
  seat: number;
  movement: number;
}

/** R10: an attacker stays or is going to leave. */
export interface ChoiceEvent {
  seat: number;
  child: ChildName;
  cell: string;
}

/** R10, R18: the active seat takes a coin, or none where there is none. */
export interface CoinEvent {
  seat: number;
  owner: number;
  coins: number;
}

/** R14: a child walks. */
export interface WalkEvent {
  seat: number;
  from: string;
  child: ChildName;
  to: string;
  movement: number;
  path: string[];
}

/** R23: the attacker walks away, the victim stands up. */
export interface LetGoEvent {
  seat: number;
  victim: ChildName;
  owner: number;
  cell: string;
}

/** R18: a child of the active seat pins the victim down. */
export interface FightEvent {
  seat: number;
  child: ChildName;
  victim: ChildName;
  owner: number;
  cell: string;
}

/** R33: a couple meets unseen. */
export interface KissEvent {
  seat: number;
  child: ChildName;
  partner: ChildName;
  cell: string;
  paid: number[];
}

/** R26: a child lands on a fight. */
export interface BreakUpEvent {
  seat: number;
  child: ChildName;
  victim: ChildName;
  owner: number;
  attacker: ChildName;
  bully: number;
  cell: string;
}

/** R28: a child makes room. */
export interface ShoveEvent {
  seat: number;
  from: string;
  owner: number;
  child: ChildName;
  to: string;
}

/** R28: a nun makes room. */
export interface ShoveNunEvent {
  seat: number;
  from: string;
  nun: number;
  to: string;
}

/** R17: a child shares a safety cell with a nun and tells nothing. */
export interface ShareEvent {
  seat: number;
  cell: string;
}

/** R29: a child tells a nun, on the cell `from`, about the fight on `cell`. */
export interface TattleEvent {
  seat: number;
  from: string;
  child: ChildName;
  nun: number;
  cell: string;
}

/** R30: a nun on a fight sends the attacker to detention. */
export interface DetentionEvent {
  seat: number;
  nun: number;
  attacker: ChildName;
  bully: number;
  victim: ChildName;
  owner: number;
  cell: string;
}

/** R31, R32: a nun moves. */
export interface NunEvent {
  seat: number;
  from: string;
  nun: number;
  to: string;
}

/** R34: detention is served. */
export interface ReleaseEvent {
  seat: number;
  children: ChildName[];
}

/** R33, R35: the game is over. */
export interface EndEvent {
  seat: number;
  reason: EndReason;
  coins: number[];
}

/** Stay or leave (R10): what staying takes, costs and risks. */
export interface AskedChoice {
  seat: number;
  owner: number;
  coins: number;
  child: ChildName;
  cell: string;
  movement: number;
  risk: Risk;
}

/** Which child walks that many steps (R8). */
export interface AskedMovement {
  seat: number;
  cost: Cost;
  lost: number;
  movement: number;
}

/** What a child that landed on a nun tells (R29). */
export interface AskedTale {
  seat: number;
  child: ChildName;
}

/** Where the piece at hand goes (R28). */
export interface AskedShove {
  seat: number;
  piece: ChildName | "nun";
  owner: number;
}

/** Which nun moves where (R31). */
export interface AskedNun {
  seat: number;
  cost: Cost;
  lost: number;
}

/** Who is asked; under a duty that is all there is to say (R32). */
export interface Asked {
  seat: number;
}

/** The game is over (R35). */
export interface AskedNothing {
  winners: number[];
  winner: number;
  reason: EndReason;
}

/** How a figure of the rule book is drawn. What happens in it is drawn as it was played. */
export interface Picture {
  crop: string[];
  sight?: boolean;
  eyes?: string[];
}

export type Event =
  | ({ key: "turn"; rule: string } & TurnEvent)
  | ({ key: "pass"; rule: string } & SeatEvent)
  | ({ key: "lost"; rule: string } & MovementEvent)
  | ({ key: "skip"; rule: string } & MovementEvent)
  | ({ key: "stay"; rule: string } & ChoiceEvent)
  | ({ key: "leave"; rule: string } & ChoiceEvent)
  | ({ key: "coin"; rule: string } & CoinEvent)
  | ({ key: "walk"; rule: string } & WalkEvent)
  | ({ key: "let_go"; rule: string } & LetGoEvent)
  | ({ key: "fight"; rule: string } & FightEvent)
  | ({ key: "kiss"; rule: string } & KissEvent)
  | ({ key: "break_up"; rule: string } & BreakUpEvent)
  | ({ key: "shove"; rule: string } & ShoveEvent)
  | ({ key: "shove_nun"; rule: string } & ShoveNunEvent)
  | ({ key: "share"; rule: string } & ShareEvent)
  | ({ key: "tattle"; rule: string } & TattleEvent)
  | ({ key: "detention"; rule: string } & DetentionEvent)
  | ({ key: "nun"; rule: string } & NunEvent)
  | ({ key: "nun_stays"; rule: string } & SeatEvent)
  | ({ key: "release"; rule: string } & ReleaseEvent)
  | ({ key: "timeout"; rule: string } & SeatEvent)
  | ({ key: "end"; rule: string } & EndEvent);

export type Prompt =
  | ({ key: "prompt.choose" } & AskedChoice)
  | ({ key: "prompt.move" } & AskedMovement)
  | ({ key: "prompt.tell" } & AskedTale)
  | ({ key: "prompt.shove" } & AskedShove)
  | ({ key: "prompt.nun" } & AskedNun)
  | ({ key: "prompt.duty" } & Asked)
  | ({ key: "prompt.over" } & AskedNothing)
  | ({ key: "wait.choose" } & AskedChoice)
  | ({ key: "wait.move" } & AskedMovement)
  | ({ key: "wait.tell" } & AskedTale)
  | ({ key: "wait.shove" } & AskedShove)
  | ({ key: "wait.nun" } & AskedNun)
  | ({ key: "wait.duty" } & Asked);

export interface Shapes {
  View: View;
  Options: Options;
  Detail: Detail;
  Event: Event;
  Prompt: Prompt;
}
