/**
 * What lies in the middle of the table: a fight (or a game of marbles, or the champion's claim) with its cards, or the
 * last thing somebody did. Told from the view where it can be, from the events where the view has moved on: a fight
 * that ends within a step is no longer in the view, but everybody wants to see it.
 */
import { HIDDEN, type Event, type View } from "./view";

/** The cards of one seat, oldest first; null is face down and unknown. Only the last can be face down. */
export interface Side {
  seat: number;
  cards: (string | null)[];
  /** The last card is face down. */
  down: boolean;
}

export type Outcome = "" | "tie" | "won" | "kept" | "maman" | "even";

export interface Clash {
  kind: "clash";
  /** The toy, or null for a marble. */
  stake: string | null;
  attacker: number;
  owner: number;
  /** The move that led to it, if it is not a fight. */
  special: string | null;
  sides: Side[];
  /** Seats that have no friend. */
  out: number[];
  outcome: Outcome;
  /** Who won it, or who called Maman. */
  by: number | null;
  /** The event that says how it stands, if it was seen. */
  said: Event | null;
}

/** A card somebody used, with the event that says how. */
export interface Deed {
  kind: "deed";
  card: string;
  event: DeedEvent;
}

export type Tale = Clash | Deed | null;

const DEEDS = ["lay", "discard", "special", "convert", "marie_edwige", "surveillant", "swap", "bell", "ban"] as const;
type DeedEvent = Extract<Event, { key: (typeof DEEDS)[number] }>;

const isDeed = (event: Event): event is DeedEvent => DEEDS.some((key) => key === event.key);

/** The card of a deed; where its event names none, the special move that did it. */
function cardOf(deed: DeedEvent): string {
  if (deed.key === "bell") return "cloche";
  return deed.key === "ban" ? "maitresse" : deed.card;
}

export function tell(before: Tale, view: View, events: Event[]): Tale {
  const ongoing = fromView(view);
  const clash = follow(before?.kind === "clash" && !over(before) ? before : null, view, events);
  if (ongoing) {
    const known = clash?.stake === ongoing.stake ? clash : null;
    const tie = events.find((event) => event.key === "tie");
    return {
      ...ongoing,
      out: known?.out ?? [],
      outcome: tie ? "tie" : "",
      said: known?.said ?? tie ?? null,
    };
  }
  const deed = events.findLast(isDeed);
  if (clash && clash.outcome !== "") return clash;
  if (deed) return { kind: "deed", card: cardOf(deed), event: briefly(deed) };
  const finished = before?.kind === "deed" || (before?.kind === "clash" && over(before));
  return events.length > 0 && finished ? before : null;
}

/** The bell without the hand it brought: that lies before one's eyes. */
function briefly(deed: DeedEvent): DeedEvent {
  return deed.key === "bell" ? { ...deed, hand: HIDDEN } : deed;
}

export function over(clash: Clash): boolean {
  return clash.outcome !== "" && clash.outcome !== "tie";
}

/** The card that was put away last, as far as it was seen; the discard itself has no order. */
export function topOf(before: string | null, view: View, events: Event[]): string | null {
  let top = before;
  for (const event of events) {
    const card = putAway(event);
    if (card !== null && view.discard[card]) top = card;
  }
  return top !== null && view.discard[top] ? top : (Object.keys(view.discard).at(-1) ?? null);
}

/** The card that goes to the discard with an event, or soon after. */
function putAway(event: Event): string | null {
  switch (event.key) {
    case "maman":
      return "maman";
    case "discard":
    case "special":
    case "convert":
    case "marie_edwige":
    case "surveillant":
    case "show":
      return event.card;
    default:
      return null;
  }
}

/** The clash that is going on, as far as the view tells. */
function fromView(view: View): Clash | null {
  const claimed = view.special === "championne" && view.phase === "maman";
  const bet = view.phase === "bet" || view.phase === "reply";
  if (view.owner === null || view.phase === "over" || !(view.round > 0 || claimed || bet)) return null;
  const sides = new Map<number, Side>();
  const side = (seat: number): Side => {
    const found = sides.get(seat) ?? { seat, cards: [], down: false };
    sides.set(seat, found);
    return found;
  };
  side(view.active);
  if (!claimed) side(view.owner);
  for (const [seat, card] of view.turned) side(seat).cards.push(card);
  view.players.forEach((player, seat) => {
    if (player.placed === null || player.placed === false) return;
    const known = typeof player.placed === "string" && player.placed !== "forfeit" ? player.placed : null;
    side(seat).cards.push(known);
    side(seat).down = true;
  });
  const clash = clashOf(view.active, view.owner, view.toy, view.special, []);
  return { ...clash, sides: inOrder([...sides.values()], view.active, view.seats) };
}

/** Clockwise from the attacker. */
function inOrder(sides: Side[], attacker: number, seats: number): Side[] {
  const away = (side: Side): number => (side.seat - attacker + seats) % seats;
  return sides.sort((one, other) => away(one) - away(other));
}

/** A clash through the events of a step; null if there is none. */
function follow(before: Clash | null, view: View, events: Event[]): Clash | null {
  const known = before ?? unseen(view, events);
  let clash: Clash | null = known && {
    ...known,
    sides: known.sides.map((side) => ({ ...side, cards: [...side.cards] })),
    out: [...known.out],
    outcome: "",
  };
  for (const event of events) {
    if (isBeginning(event)) clash = begin(event);
    if (!clash) continue;
    switch (event.key) {
      case "down":
        putDown(sideOf(clash, event.seat, view.seats), event.card);
        break;
      case "show":
        turn(sideOf(clash, event.seat, view.seats), event.card);
        break;
      case "forfeit":
        takeBack(sideOf(clash, event.seat, view.seats));
        break;
      case "no_friend":
        clash.out.push(event.seat);
        break;
      case "take_back":
        clash.sides.forEach(takeBack);
        break;
      default:
        settle(clash, event);
    }
  }
  return clash;
}

/** A clash whose end is all that was seen of it: somebody else looked before, or the page has just come. */
function unseen(view: View, events: Event[]): Clash | null {
  const end = events.find(isEnd);
  if (!end) return null;
  const next = events.find((event) => event.key === "turn");
  const attacker = next ? (next.seat - 1 + view.seats) % view.seats : view.active;
  const bet = end.key === "bet_won" || end.key === "bet_tie";
  const owner = bet && end.owner === attacker ? end.seat : end.owner;
  const special = bet ? "partie_de_billes" : end.key === "championne" ? "championne" : null;
  const seats = special === "championne" ? [attacker] : [attacker, owner];
  return clashOf(attacker, owner, bet ? null : end.card, special, seats);
}

const ENDS = ["win_toy", "keep_toy", "maman", "championne", "bet_won", "bet_tie"] as const;
type End = Extract<Event, { key: (typeof ENDS)[number] }>;

const isEnd = (event: Event): event is End => ENDS.some((key) => key === event.key);

type Beginning = Extract<Event, { key: "fight" | "general_fight" | "claim" | "challenge" }>;

function isBeginning(event: Event): event is Beginning {
  return ["fight", "general_fight", "claim", "challenge"].includes(event.key);
}

function begin(event: Beginning): Clash {
  const { key, seat: attacker, owner } = event;
  const seats = key === "claim" ? [attacker] : [attacker, owner];
  const special = key === "claim" ? "championne" : key === "challenge" ? "partie_de_billes" : null;
  const stake = event.key === "challenge" ? null : event.card;
  return { ...clashOf(attacker, owner, stake, special, seats), said: event };
}

/** A clash of these seats before any card is down. */
function clashOf(
  attacker: number,
  owner: number,
  stake: string | null,
  special: string | null,
  seats: number[],
): Clash {
  return {
    kind: "clash",
    stake,
    attacker,
    owner,
    special,
    sides: seats.map((seat) => ({ seat, cards: [], down: false })),
    out: [],
    outcome: "",
    by: null,
    said: null,
  };
}

/** How it stands after events that decide something. */
function settle(clash: Clash, event: Event): void {
  switch (event.key) {
    case "tie":
    case "bet_tie":
      clash.outcome = event.key === "tie" ? "tie" : "even";
      clash.by = null;
      break;
    case "win_toy":
    case "championne":
    case "bet_won":
      clash.outcome = "won";
      clash.by = event.seat;
      break;
    case "keep_toy":
      clash.outcome = "kept";
      clash.by = event.seat;
      break;
    case "maman":
      clash.outcome = "maman";
      clash.by = event.seat;
      break;
    default:
      return;
  }
  clash.said = event;
}

function sideOf(clash: Clash, seat: number, seats: number): Side {
  const found = clash.sides.find((side) => side.seat === seat);
  if (found) return found;
  const side: Side = { seat, cards: [], down: false };
  clash.sides.push(side);
  inOrder(clash.sides, clash.attacker, seats);
  return side;
}

/** A secret forfeit looks like a card that nobody knows. */
function putDown(side: Side, card: string): void {
  side.cards.push(card === HIDDEN || card === "forfeit" ? null : card);
  side.down = true;
}

function turn(side: Side, card: string): void {
  if (side.down) side.cards.pop();
  side.cards.push(card);
  side.down = false;
}

function takeBack(side: Side): void {
  if (side.down) side.cards.pop();
  side.down = false;
}
