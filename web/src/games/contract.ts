/**
 * What the page hands to a game, and what a game gives back. A game draws views, offers the actions it was given and
 * shows events; it knows no rules. One folder a game, each with an index.ts that exports a `GamePage`.
 */
import type { Component } from "svelte";
import type { Texts } from "../lib/text/messages";
import type { Json } from "../lib/net/protocol";

/** One thing a person can do now. */
export interface Choice {
  /** The action in its text form, exactly as it stands in `legal`. */
  action: string;
  /** What a button says: short, in the reader's language, no ids. */
  label: string;
  /** What would come of it, in a short sentence, where that is not plain to see: stands under the label. */
  means?: string;
  /** Choices of one group are shown once the group is picked (a child, a card). Without: shown at once. */
  group?: string;
}

/** A group of choices: a piece or card to pick first. */
export interface Group {
  id: string;
  label: string;
}

export interface Choices {
  groups: Group[];
  choices: Choice[];
}

/** What leaves a game. Each has its own in `shapes.ts`, made from the `shapes.py` in its folder. */
export interface Shapes {
  View: object;
  Options: object;
  Detail: object;
  Event: object;
  Prompt: object;
}

/** A game of which only the contract is known: its data is any JSON. */
export interface AnyShapes extends Shapes {
  View: Json;
  Options: Json;
  Detail: Json;
  Event: Json;
  Prompt: Json;
  Result: Json;
}

/** How a game ended; what its own detail says is left out where there is nothing to say. */
export interface Result<Detail> {
  scores: number[];
  /** Groups of seats, best first. */
  ranking: number[][];
  reason: string;
  tie_break?: string;
  detail?: Detail;
}

type ResultOf<Game extends Shapes> = Game extends { Result: infer Known } ? Known : Result<Game["Detail"]>;

/** Everything a game's components may know, and all they can do. Fields are reactive. */
export interface Scene<Game extends Shapes = AnyShapes> {
  /** The game's own view, from the viewpoint of `seat`. */
  readonly view: Game["View"];
  readonly prompt: Game["Prompt"];
  /** Actions open to `seat` now; empty when another seat is asked, or while the newest steps are still being shown. */
  readonly legal: string[];
  /** The seat whose view it is; null for the public view. */
  readonly seat: number | null;
  /** The name of each seat. */
  readonly names: string[];
  /** Seats that owe a decision. */
  readonly toAct: number[];
  /** Since which number `seat` is asked the same: another number is another question, however alike they look. */
  readonly asked: number;
  /** Counts up with every step. */
  readonly number: number;
  /** What happened in the step that led here, in order. Empty after loading: nothing to animate then. */
  readonly events: Game["Event"][];
  /** Who did it: a seat, -1 for chance, -2 for the referee. */
  readonly actor: number;
  readonly result: ResultOf<Game> | null;
  /** No motion wanted. */
  readonly calm: boolean;
  /** An action is pending: the server has not acknowledged it yet. */
  readonly busy: boolean;
  readonly texts: Texts;
  /** The group of choices that is picked, the same on the board and in the row of buttons. */
  readonly picked: string | null;
  pick(group: string | null): void;
  /**
   * Own seats before a screen they share that answer the same question at the same time, each for itself (see
   * `GamePage.together`); empty otherwise.
   */
  readonly together: number[];
  /**
   * Do it. An action that is not legal may be sent too: the refusal then says why, which is how the page explains.
   * `as` is the own seat that acts, if it is another one than `seat`.
   */
  act(action: string, delay?: number, as?: number): void;
  /** Every view of the game from its beginning, once it is over. */
  allViews(): Promise<Game["View"][]>;
}

/**
 * A picture of the rule book, with everything in the game's own shapes: see `Figure` in `lib/net/protocol.ts`. The folder's
 * `Figure.svelte` draws it: still, as wide as its box, and without words, for its words stand beside it. It is loaded
 * with the rule book, not with the game.
 */
export interface Figure<Game extends Shapes = AnyShapes, Picture = Json> {
  name: string;
  seat: number;
  views: Game["View"][];
  events: Game["Event"][];
  open: string[];
  refused: string[];
  picture: Picture;
  result?: ResultOf<Game> | null;
}

/** What `Figure.svelte` of a game is given. */
export interface FigureProps<Game extends Shapes = AnyShapes, Picture = Json> {
  figure: Figure<Game, Picture>;
  /** The game's words, as the seat whose view it is reads them. */
  texts: Texts;
}

/** A moment of a game, to be drawn as a picture that can go anywhere. */
export interface SnapshotProps<Game extends Shapes = AnyShapes> {
  view: Game["View"];
  /** The seat whose view it is; null for the public view, and where all hands are open. */
  seat: number | null;
  /** What each seat sees, if all hands are open; nothing otherwise. */
  views: Game["View"][];
  events: Game["Event"][];
  /** The game's words, with the names of the seats; no reader is addressed as "you". */
  texts: Texts;
  names: string[];
  /** How the game ended, if this is its end. */
  result: ResultOf<Game> | null;
}

/** How a game draws a moment: `snapshot.ts` in its folder, which knows nothing of a document (see src/picture). */
export interface GameSnapshot<Game extends Shapes = AnyShapes> {
  /** In a box of `WIDE` by `HIGH` (src/picture/sizes.ts), as SVG alone. */
  Drawing: Component<SnapshotProps<Game>>;
  told?: GamePage<Game>["told"];
  texts?: GamePage<Game>["texts"];
}

/** A race of the game, explained and tried before a first game. It counts for nothing. */
export interface Trial {
  /** Whether tables with these options have such races. */
  needed(options: Json): boolean;
  load(): Promise<{ default: Component<TrialProps> }>;
}

export interface TrialProps {
  page: GamePage;
  /** The game begins when the player closes this. */
  begins: boolean;
  /** The player has tried the race. */
  ontried: () => void;
  onclose: () => void;
}

export interface GamePage<Game extends Shapes = AnyShapes> {
  /** Seats know different things: a curtain hides the view when a device is passed on. */
  secrets: boolean;
  /** The stage itself shows the other seats with their facts, so that a phone need not show them twice. */
  seatsOnStage?: boolean;
  /** The board or table, the largest part of the screen. Fills the box it is given, scales with it. */
  Stage: Component<{ scene: Scene<Game> }>;
  /** The game's own facts about a seat, for its panel: coins, marbles, cards. Small. */
  SeatFacts: Component<{ scene: Scene<Game>; seat: number }>;
  /**
   * Shown at the end: the working of the score. Where it is counted on the screen, `onfinish` is called once
   * all is counted, or at once if there is nothing to wait for: the ranking stays hidden until then.
   */
  Score: Component<{ scene: Scene<Game>; onfinish?: () => void }>;
  /** The score is counted on the screen. */
  counts?: boolean;
  /** A seat's cards face up, small, from its own view: for a replay with all hands open. */
  OpenHand?: Component<{ view: Game["View"]; texts: Texts; seat: number }>;
  /** The game's words at this table, where some come from the table: the names on cards of one's own. */
  texts?(texts: Texts, view: Game["View"]): Texts;
  /** The same choices as buttons. */
  choices(scene: Scene<Game>): Choices;
  /** What on the stage an action is about, as CSS selectors: first what acts, then where it goes. For hints. */
  marks?(scene: Scene<Game>, action: string): string[];
  /**
   * What a place on the stage is called that names itself in `data-place` or `data-spot`, for arrows and rings that people
   * show each other: "h8", "the draw pile"; null for one that is nothing to point at. Without it there are no such marks.
   */
  place?(scene: Scene<Game>, name: string): string | null;
  /** What it is all about and how far one has come, in a few words: "Marbles: 3 of 10". Always in sight. */
  goal?(scene: Scene<Game>): string;
  /** What of a step is worth a sentence, most telling first; without it, all of it. */
  told?(events: Game["Event"][]): Game["Event"][];
  /**
   * What is worth remembering of a finished game for a seat, beside its score: a few numbers, each with its words in
   * the game's texts (`page.feat.<name>`, with `n`). One that is 0 or 1 is counted over all games; of any other the
   * largest is shown.
   */
  feats?(result: ResultOf<Game>, seat: number): { [name: string]: number };
  /** How long a step wants to be seen, in milliseconds (0 to 4000), when it is followed by others. */
  pause(events: Game["Event"][]): number;
  /** All players answer this at the same time: show at once what comes while it is asked, so that the question stays. */
  urgent?(legal: string[]): boolean;
  /** People at one device answer this together, on a screen they share, without a curtain. */
  together?(view: Game["View"]): boolean;
  /** What a newcomer tries before a first game. */
  trial?: Trial;
  /** The lines of the log for a step, each with the events it tells of; without it, one line an event. */
  lines?(events: Game["Event"][]): Game["Event"][][];
  /** The name of a sound for a step, or null. */
  sound(events: Game["Event"][]): Sound | null;
}

export type Sound = "step" | "card" | "coin" | "thud" | "bell" | "kiss" | "whistle" | "slap" | "win" | "turn";
