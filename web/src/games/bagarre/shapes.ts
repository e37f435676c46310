// Made by `python -m preau.codegen.typescript bagarre` from preau/games/bagarre/shapes.py. Do not edit.

export type Json = { [name: string]: unknown };

export type Phase = "deal" | "draw" | "fill" | "turn" | "convert" | "action" | "attack" | "answer" | "maman" | "give" | "take" | "seat" | "bet" | "reply" | "lay" | "lay_more" | "lay_maybe" | "excess" | "over";

export type Special = "maman" | "marie_edwige" | "surveillant" | "mamie" | "echange" | "partie_de_billes" | "championne" | "maitresse" | "cloche";

export type Reason = "goal" | "turns";

export type Answer = "no" | "yes";

/** The options in force. */
export interface Options {
  goal: number;
  first: number;
  cards: "reconstructed" | "leaflet" | Json;
  may_forfeit: boolean;
}

/** A seat that is known in full: one's own in a view, every seat in a position. */
export interface OwnPlayer {
  marbles: number;
  front: string[];
  hand: string[];
  placed: string | null;
  answer: Answer | null;
}

/** A seat as the table sees it. */
export interface OtherPlayer {
  marbles: number;
  front: string[];
  cards: number;
  placed: boolean;
  answer: boolean;
}

/** What a seat knows, or a spectator. */
export interface View {
  game: "bagarre";
  rules: string;
  seats: number;
  options: Options;
  turn: number;
  active: number;
  phase: Phase;
  to_act: number[];
  drawer: number | null;
  filled: number;
  discard: { [name: string]: number };
  ban: number | null;
  special: Special | null;
  given: string | null;
  limit: number;
  toy: string | null;
  owner: number | null;
  round: number;
  turned: [number, string][];
  pile: number;
  seat: number | null;
  players: (OwnPlayer | OtherPlayer)[];
  unseen: { [name: string]: number };
  memory: string;
  prompt: Prompt;
}

/** More about the score than the marbles. */
export interface Detail {
  front: number[];
  turns: number;
}

/** A turn begins. */
export interface Turn {
  seat: number;
  turn: number;
}

/** A card comes from the pile into a hand. */
export interface Draw {
  seat: number;
  card: string;
}

/** The discard becomes the pile. */
export interface Reshuffle {
  cards: number;
}

/** A toy becomes marbles. */
export interface Gain {
  seat: number;
  card: string;
  marbles: number;
  total: number;
}

/** A seat does something, or something happens to it. */
export interface Doing {
  seat: number;
}

/** A seat does something with a card. */
export interface CardDoing {
  seat: number;
  card: string;
}

/** A seat does something about a toy that is its owner's. */
export interface ToyDoing {
  seat: number;
  card: string;
  owner: number;
}

/** A friend is put face down. */
export interface Down {
  seat: number;
  card: string;
}

/** A seat has decided about Maman. */
export interface Answered {
  seat: number;
  answer: Answer | "hidden";
}

/** Several seats do something. */
export interface SeatsDoing {
  seats: number[];
}

/** A seat plays a special move. */
export interface SpecialDoing {
  seat: number;
  card: Special;
}

/** A toy of one's own is swapped for another seat's. */
export interface Swap {
  seat: number;
  given: string;
  card: string;
  owner: number;
}

/** A seat does something about another one. */
export interface OtherDoing {
  seat: number;
  owner: number;
}

/** A game of marbles is won by `seat` against `owner`. */
export interface BetWon {
  seat: number;
  owner: number;
  marbles: number;
}

/** All hands pass to the left. */
export interface Bell {
  seat: number;
  hand: string[] | "hidden";
}

/** The game is over. */
export interface End {
  reason: Reason;
  marbles: number[];
}

/** The seats that are asked, or that get a card. */
export interface Asked {
  seats: number[];
}

/** The seat that chooses what to do in its turn. */
export interface ActionAsked {
  seats: number[];
  general: string[];
  maman: boolean;
}

/** The seats that are asked in a fight, or by the champion, for the toy of its owner. */
export interface ToyAsked {
  seats: number[];
  card: string;
  owner: number;
}

/** The seat that is asked, and the special move it plays. */
export interface SpecialAsked {
  seats: number[];
  special: Special;
}

/** The seat that is asked in a game of marbles, and the seat challenged. */
export interface BetAsked {
  seats: number[];
  owner: number;
}

/** The seat that may lay a second toy with Mamie, and what that may be worth. */
export interface LayAsked {
  seats: number[];
  limit: number;
}

/** The game is over. */
export interface Over {
  winners: number[];
  winner: number | null;
  reason: Reason;
  goal: number;
}

/** How a figure of the rule book is drawn. What happens in it is drawn as it was played. */
export interface Picture {
  shows: "table" | "lay" | "exchange" | "fight" | "cards";
  cards?: string[];
}

export type Event =
  | ({ key: "turn"; rule: string } & Turn)
  | ({ key: "draw"; rule: string } & Draw)
  | ({ key: "reshuffle"; rule: string } & Reshuffle)
  | ({ key: "convert"; rule: string } & Gain)
  | ({ key: "done"; rule: string } & Doing)
  | ({ key: "lay"; rule: string } & CardDoing)
  | ({ key: "discard"; rule: string } & CardDoing)
  | ({ key: "fight"; rule: string } & ToyDoing)
  | ({ key: "general_fight"; rule: string } & ToyDoing)
  | ({ key: "down"; rule: string } & Down)
  | ({ key: "no_friend"; rule: string } & Doing)
  | ({ key: "answer"; rule: string } & Answered)
  | ({ key: "maman"; rule: string } & ToyDoing)
  | ({ key: "take_back"; rule: string } & SeatsDoing)
  | ({ key: "show"; rule: string } & CardDoing)
  | ({ key: "forfeit"; rule: string } & Doing)
  | ({ key: "tie"; rule: string } & SeatsDoing)
  | ({ key: "win_toy"; rule: string } & ToyDoing)
  | ({ key: "keep_toy"; rule: string } & ToyDoing)
  | ({ key: "special"; rule: string } & SpecialDoing)
  | ({ key: "marie_edwige"; rule: string } & Gain)
  | ({ key: "surveillant"; rule: string } & ToyDoing)
  | ({ key: "swap"; rule: string } & Swap)
  | ({ key: "claim"; rule: string } & ToyDoing)
  | ({ key: "championne"; rule: string } & ToyDoing)
  | ({ key: "challenge"; rule: string } & OtherDoing)
  | ({ key: "bet_won"; rule: string } & BetWon)
  | ({ key: "bet_tie"; rule: string } & OtherDoing)
  | ({ key: "bell"; rule: string } & Bell)
  | ({ key: "lay_nothing"; rule: string } & Doing)
  | ({ key: "ban"; rule: string } & Doing)
  | ({ key: "ban_over"; rule: string } & Doing)
  | ({ key: "end"; rule: string } & End);

export type Prompt =
  | ({ key: "wait.deal" } & Asked)
  | ({ key: "wait.draw" } & Asked)
  | ({ key: "wait.fill" } & Asked)
  | ({ key: "prompt.turn" } & Asked)
  | ({ key: "wait.turn" } & Asked)
  | ({ key: "prompt.convert" } & Asked)
  | ({ key: "wait.convert" } & Asked)
  | ({ key: "prompt.action" } & ActionAsked)
  | ({ key: "wait.action" } & ActionAsked)
  | ({ key: "prompt.attack" } & ToyAsked)
  | ({ key: "wait.attack" } & ToyAsked)
  | ({ key: "prompt.answer" } & ToyAsked)
  | ({ key: "wait.answer" } & ToyAsked)
  | ({ key: "prompt.maman" } & ToyAsked)
  | ({ key: "prompt.maman_own" } & ToyAsked)
  | ({ key: "prompt.maman_none" } & ToyAsked)
  | ({ key: "wait.maman" } & ToyAsked)
  | ({ key: "prompt.give" } & SpecialAsked)
  | ({ key: "wait.give" } & SpecialAsked)
  | ({ key: "prompt.take" } & SpecialAsked)
  | ({ key: "wait.take" } & SpecialAsked)
  | ({ key: "prompt.seat" } & Asked)
  | ({ key: "wait.seat" } & Asked)
  | ({ key: "prompt.bet" } & BetAsked)
  | ({ key: "wait.bet" } & BetAsked)
  | ({ key: "prompt.reply" } & BetAsked)
  | ({ key: "wait.reply" } & BetAsked)
  | ({ key: "prompt.lay" } & Asked)
  | ({ key: "wait.lay" } & Asked)
  | ({ key: "prompt.lay_more" } & LayAsked)
  | ({ key: "wait.lay_more" } & LayAsked)
  | ({ key: "prompt.lay_maybe" } & Asked)
  | ({ key: "wait.lay_maybe" } & Asked)
  | ({ key: "prompt.excess" } & Asked)
  | ({ key: "wait.excess" } & Asked)
  | ({ key: "prompt.over" } & Over);

export interface Shapes {
  View: View;
  Options: Options;
  Detail: Detail;
  Event: Event;
  Prompt: Prompt;
}
