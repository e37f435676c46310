// Made by `python -m preau.codegen.typescript cour` from preau/games/cour/shapes.py. Do not edit.

export type Json = { [name: string]: unknown };

export type Hidden = "hidden";

export type Toy = "marble" | "brick" | "soldier" | "monster" | "car";

export type Sign = "spider" | "butterfly";

export type EventCard = "spider" | "butterfly" | "king";

export type Card = "marble" | "brick" | "soldier" | "monster" | "car" | "leaf" | "chestnut" | "friend" | "glue" | "spider" | "butterfly" | "king";

export type Character = "agent" | "boss" | "minx" | "architect" | "queen" | "lucky" | "herbalist" | "general";

export type Throw = "rock" | "paper" | "scissors";

export type Phase = "deal" | "turn" | "point" | "race" | "lose" | "take" | "challenge" | "throw" | "decide" | "glue" | "keep" | "give" | "trade" | "steal" | "friend" | "over";

export type Step = "turn" | "keep" | "give";

export type Ending = "threshold" | "pile" | "cap";

export type Op = "gain" | "lose" | "take" | "trade";

export type Counted = "marble" | "brick" | "soldier" | "monster" | "car" | "leaf" | "chestnut" | "collection";

/** The options in force. */
export interface Options {
  first: number;
  pile: "queue" | "bag";
  slap_pick: "blind" | "choose";
  reaction: "random" | "off" | "live";
  agent_min: number;
  cards: "reconstructed" | Json;
}

/** A card of the best row (C16). */
export interface RowCard {
  card: string;
  full: number;
}

/** Two neighbours of the best row (C16). */
export interface Join {
  stars: number;
  places: string;
}

/** What the king cards are worth (C9). */
export interface Kings {
  cards: number;
  stars: number;
}

/** What a friend card is worth (C12). */
export interface FriendStars {
  seat: number;
  toy: Toy | null;
  stars: number;
}

/** One thing that a character counts (C17). */
export interface BonusItem {
  card: Counted;
  count: number;
  stars: number;
}

/** The bonus of a character (C17). */
export interface Bonus {
  character: Character;
  items: BonusItem[];
  stars: number;
}

/** Where all the stars of a seat come from (C16, C17). */
export interface Working {
  row: RowCard[];
  joins: Join[];
  full: number;
  joined: number;
  kings: Kings;
  chestnut_man: number;
  friends: FriendStars[];
  bonus: Bonus;
  total: number;
}

/** What is told beside the stars. */
export interface Detail {
  rounds: number;
  working?: Working[];
}

/** How the game ended. */
export interface Result {
  scores: number[];
  ranking: number[][];
  reason: Ending;
  tie_break?: "shared";
  detail: Detail;
}

/** A change of a hand. */
export interface LedgerRow {
  op: Op;
  seat: number;
  victim?: number;
  card: string | null;
  hand?: { [name: string]: number };
}

/** What is asked now, or who is waited for: a key of `PROMPTS`, and its parameters. */
export interface Asked {
  key: string;
  seats?: number[];
  card?: Sign;
  cards?: Card[];
  n?: number;
  seat?: number;
  rival?: number;
  draws?: number;
  victim?: number;
  winners?: number[];
  reason?: Ending;
}

/** What can be known of a hand. */
export interface Known {
  sure: { [name: string]: number };
  unsure: number;
}

/** What a seat knows, or a spectator. */
export interface View {
  game: "cour";
  rules: string;
  seats: number;
  options: Options;
  turn: number;
  active: number;
  phase: Phase;
  step: Step;
  to_keep: number;
  ending: boolean;
  pool: { [name: string]: number };
  under: string[];
  open: string[];
  kings: number[];
  friends: number[][];
  pot: number | null;
  pot_waits: boolean;
  chestnut_man: number | null;
  event: EventCard | null;
  draws: number;
  gainer: number | null;
  victim: number | null;
  round: number;
  sizes: number[];
  result?: Result;
  characters: (Character | Hidden | null)[];
  hands: ({ [name: string]: number } | null)[];
  choices: (number | Throw | "none" | "waiting" | "hidden" | null)[];
  ledger: LedgerRow[];
  seat: number | null;
  prompt: Prompt;
  memory: Known[];
}

/** A character is dealt (C3). */
export interface CharacterDealt {
  seat: number;
  character: Character | Hidden;
}

/** A turn begins (C5). */
export interface TurnBegins {
  seat: number;
  round: number;
}

/** A card is turned over, kept or put back (C5, C6). */
export interface OfCard {
  seat: number;
  card: Card;
  kind: string;
}

/** A card is given away (C6). */
export interface CardGiven {
  seat: number;
  card: Card;
  kind: string;
  to: number;
}

/** Something that a seat does, gets or loses. */
export interface OfSeat {
  seat: number;
}

/** All hands have reached seven: this round is the last (C15). */
export interface LastRound {
  round: number;
}

/** A seat shows what it has (C16). */
export interface Shown {
  seat: number;
  character: Character;
  hand: { [name: string]: number };
}

/** The game is over (C15, C18). */
export interface End {
  reason: Ending;
  stars: number[];
}

/** A spider or butterfly at a table without cards to take (C8). */
export interface SignInVain {
  card: Sign;
  kind: string;
}

/** A seat has chosen whom to point at (C8). */
export interface SecretPoint {
  seat: number;
  target: number | "none" | "hidden";
}

/** A seat points at another one for all to see (C8). */
export interface Point {
  seat: number;
  target: number;
}

/** Something that names nobody. */
export type OfNobody = Record<never, never>;

/** The fastest looks at a hand, to choose from it (C8). */
export interface Look {
  seat: number;
  victim: number;
  hand: { [name: string]: number } | Hidden;
}

/** The seat with the king card names a rival (C9). */
export interface Challenge {
  seat: number;
  rival: number;
}

/** A seat has chosen its throw (C9). */
export interface SecretThrow {
  seat: number;
  throw: Throw | Hidden;
}

/** Both throws are shown (C9). */
export interface Throws {
  seat: number;
  rival: number;
  throw: Throw;
  answer: Throw;
}

/** King cards go to the winner (C9). */
export interface KingWon {
  seat: number;
  cards: number;
}

/** A seat is going to steal (C10). */
export interface Theft {
  seat: number;
  victim: number;
}

/** A card changes hands (C8, C10). */
export interface CardStolen {
  seat: number;
  victim: number;
  card: Card | Hidden;
  kind: string;
}

/** A friend card is turned to a seat (C12). */
export interface FriendTurned {
  seat: number;
  to: number;
}

/** Whom to point at, and who was fastest (C8). */
export interface SignPrompt {
  seats: number[];
  card: Sign;
}

/** Which card to take from a hand (C8). */
export interface TakePrompt {
  seats: number[];
  victim: number;
}

/** A question that needs no more words. */
export interface PlainPrompt {
  seats: number[];
}

/** Rock, paper or scissors (C9). */
export interface DuelPrompt {
  seats: number[];
  seat: number;
  rival: number;
  draws: number;
}

/** What to do with the cards lying open (C6, C13). */
export interface OpenCardsPrompt {
  seats: number[];
  cards: Card[];
  n: number;
}

/** Nothing is asked any more. */
export interface OverPrompt {
  winners: number[];
  reason: Ending;
}

/** How a figure of the rule book is drawn. What happens in it is drawn as it was played. */
export interface Picture {
  shows: "turned" | "row" | "characters" | "slap" | "throws" | "friend" | "trade" | "hands" | "score";
  row?: string[];
}

export type Event =
  | ({ key: "character"; rule: string } & CharacterDealt)
  | ({ key: "turn"; rule: string } & TurnBegins)
  | ({ key: "turned"; rule: string } & OfCard)
  | ({ key: "kept"; rule: string } & OfCard)
  | ({ key: "given"; rule: string } & CardGiven)
  | ({ key: "put_back"; rule: string } & OfCard)
  | ({ key: "pot_back"; rule: string } & OfSeat)
  | ({ key: "threshold"; rule: string } & LastRound)
  | ({ key: "shown"; rule: string } & Shown)
  | ({ key: "end"; rule: string } & End)
  | ({ key: "nothing"; rule: string } & SignInVain)
  | ({ key: "pointed"; rule: string } & SecretPoint)
  | ({ key: "points"; rule: string } & Point)
  | ({ key: "nobody"; rule: string } & OfNobody)
  | ({ key: "fastest"; rule: string } & Point)
  | ({ key: "empty_hand"; rule: string } & Point)
  | ({ key: "look"; rule: string } & Look)
  | ({ key: "challenge"; rule: string } & Challenge)
  | ({ key: "threw"; rule: string } & SecretThrow)
  | ({ key: "throws"; rule: string } & Throws)
  | ({ key: "king"; rule: string } & KingWon)
  | ({ key: "pot"; rule: string } & OfSeat)
  | ({ key: "no_trade"; rule: string } & OfSeat)
  | ({ key: "chestnut_man"; rule: string } & OfSeat)
  | ({ key: "trade"; rule: string } & OfSeat)
  | ({ key: "steal"; rule: string } & Theft)
  | ({ key: "stolen"; rule: string } & CardStolen)
  | ({ key: "no_friend"; rule: string } & OfSeat)
  | ({ key: "friend"; rule: string } & FriendTurned)
  | ({ key: "glue_used"; rule: string } & OfSeat)
  | ({ key: "glue_unused"; rule: string } & OfSeat);

export type Prompt =
  | ({ key: "prompt.point" } & SignPrompt)
  | ({ key: "prompt.take" } & TakePrompt)
  | ({ key: "prompt.challenge" } & PlainPrompt)
  | ({ key: "prompt.throw" } & DuelPrompt)
  | ({ key: "prompt.glue" } & OpenCardsPrompt)
  | ({ key: "prompt.keep" } & OpenCardsPrompt)
  | ({ key: "prompt.give" } & OpenCardsPrompt)
  | ({ key: "prompt.trade" } & PlainPrompt)
  | ({ key: "prompt.steal" } & PlainPrompt)
  | ({ key: "prompt.friend" } & PlainPrompt)
  | ({ key: "prompt.over" } & OverPrompt)
  | ({ key: "wait.deal" } & PlainPrompt)
  | ({ key: "wait.turn" } & PlainPrompt)
  | ({ key: "wait.point" } & SignPrompt)
  | ({ key: "wait.race" } & SignPrompt)
  | ({ key: "wait.lose" } & PlainPrompt)
  | ({ key: "wait.take" } & TakePrompt)
  | ({ key: "wait.challenge" } & PlainPrompt)
  | ({ key: "wait.throw" } & DuelPrompt)
  | ({ key: "wait.decide" } & DuelPrompt)
  | ({ key: "wait.glue" } & OpenCardsPrompt)
  | ({ key: "wait.keep" } & OpenCardsPrompt)
  | ({ key: "wait.give" } & OpenCardsPrompt)
  | ({ key: "wait.trade" } & PlainPrompt)
  | ({ key: "wait.steal" } & PlainPrompt)
  | ({ key: "wait.friend" } & PlainPrompt);

export interface Shapes {
  View: View;
  Options: Options;
  Detail: Detail;
  Event: Event;
  Prompt: Prompt;
}
