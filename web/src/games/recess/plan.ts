/** What a step looks like: who goes where and when, who lies down or stands up when, and what flies through the air. */
import type { Sound } from "../contract";
import { isGirl, type Event, type PieceId, type View } from "./view";

export type Gait = "walk" | "shove" | "glide" | "fly";

/** One movement of one piece. Times are in milliseconds after the step begins. */
export interface Leg {
  at: number;
  lasts: number;
  /** Where it goes, from place to place: cells, or an entrance. */
  path: string[];
  gait: Gait;
}

export interface Effect {
  kind: "coin" | "hearts" | "dust" | "tell" | "whistle";
  at: number;
  lasts: number;
  from: string;
  to: string;
}

export interface Plan {
  legs: Map<PieceId, Leg[]>;
  /** When a piece takes its new pose. */
  poses: Map<PieceId, number>;
  effects: Effect[];
  lasts: number;
}

const STEP = 130;
/** What a step acts out lasts no longer than this; then it is held, so that it can be understood. */
const LONGEST = 1150;

/** How long an event keeps the next one waiting. */
function span(event: Event): number {
  switch (event.key) {
    case "walk":
      return STEP * event.movement + 40;
    case "shove":
    case "shove_nun":
      return 220;
    case "nun":
      return 380;
    case "tattle":
      return 420;
    case "detention":
      return 320;
    case "fight":
    case "break_up":
      return 160;
    case "coin":
      return event.coins ? 260 : 0;
    case "kiss":
      return 1000;
    case "pass":
    case "stay":
    case "leave":
      return 160;
    default:
      return 0;
  }
}

const total = (events: Event[]): number => events.reduce((sum, event) => sum + span(event), 0);

/**
 * What is worth a sentence, most telling first, and for how many milliseconds it is held after it was acted out. A turn
 * that begins and whoever stands up by that are seen without words.
 */
const TELLING: readonly (readonly [Event["key"], number])[] = [
  ["kiss", 1500],
  ["end", 400],
  ["detention", 1100],
  ["fight", 700],
  ["coin", 700],
  ["tattle", 900],
  ["break_up", 600],
  ["timeout", 900],
  ["release", 500],
  ["stay", 500],
  ["lost", 700],
  ["skip", 300],
  ["pass", 500],
  ["share", 300],
  ["leave", 300],
  ["nun_stays", 300],
  ["nun", 350],
  ["shove", 250],
  ["shove_nun", 250],
  ["walk", 150],
];

/** What of a step is worth a sentence to everybody, most telling first: plain walking only where nothing came of it. */
export function told(events: Event[]): Event[] {
  const rank = ({ key }: Event): number => TELLING.findIndex(([known]) => known === key);
  const worth = events.filter((event) => rank(event) >= 0 && !(event.key === "coin" && event.coins === 0));
  return worth.sort((one, other) => rank(one) - rank(other));
}

/** As long as it is acted out, and then as long as its most telling event takes to be understood. */
export function pause(events: Event[]): number {
  const [first] = told(events);
  const held = TELLING.find(([key]) => key === first?.key)?.[1] ?? 0;
  return Math.min(total(events), LONGEST) + held;
}

/** The children of an event: who does it, to whom, and who did it before. */
const mover = ({ seat, child }: { seat: number; child: string }): PieceId => `${seat}${child}`;
const victim = ({ owner, victim }: { owner: number; victim: string }): PieceId => `${owner}${victim}`;
const bully = ({ bully, attacker }: { bully: number; attacker: string }): PieceId => `${bully}${attacker}`;

export function plan(after: View, events: Event[]): Plan {
  const made: Plan = { legs: new Map(), poses: new Map(), effects: [], lasts: 0 };
  const pace = Math.min(1, LONGEST / Math.max(1, total(events)));
  let now = 0;
  let scuffle = "";
  const go = (piece: PieceId, lasts: number, path: string[], gait: Gait): void => {
    made.legs.set(piece, [...(made.legs.get(piece) ?? []), { at: now, lasts, path, gait }]);
  };
  const show = (kind: Effect["kind"], lasts: number, from: string, to = from): void => {
    made.effects.push({ kind, at: now, lasts, from, to });
  };
  for (const event of events) {
    const time = span(event) * pace;
    switch (event.key) {
      case "walk":
        made.poses.set(mover(event), now);
        go(mover(event), time, event.path, "walk");
        break;
      case "let_go":
        made.poses.set(victim(event), Math.max(0, now - STEP));
        break;
      case "fight":
        scuffle = event.cell;
        made.poses.set(mover(event), now).set(victim(event), now);
        show("dust", 420, event.cell);
        break;
      case "stay":
        scuffle = event.cell;
        break;
      case "coin":
        if (event.coins) show("coin", 620, scuffle);
        break;
      case "break_up":
        made.poses.set(victim(event), now).set(bully(event), now);
        show("dust", 420, event.cell);
        break;
      case "shove":
        go(`${event.owner}${event.child}`, time, [event.to], "shove");
        break;
      case "shove_nun":
        go(`nun ${event.nun}`, time, [event.to], "shove");
        break;
      case "tattle":
        show("tell", 500, event.from);
        go(`nun ${event.nun}`, time, [event.cell], "glide");
        break;
      case "nun":
        go(`nun ${event.nun}`, time, [event.to], "glide");
        break;
      case "detention":
        made.poses.set(victim(event), now).set(bully(event), now);
        show("whistle", 520, event.cell);
        go(bully(event), 420 * pace, [isGirl(bully(event)) ? "girls" : "boys"], "fly");
        break;
      case "kiss":
        show("hearts", 1100, event.cell);
        event.paid.forEach((coins, seat) => {
          const child = Object.entries(after.children).find(([piece]) => piece.startsWith(String(seat)));
          for (let coin = 0; coin < coins && child; coin++) {
            made.effects.push({ kind: "coin", at: now + 200 + 120 * coin, lasts: 700, from: child[1], to: event.cell });
          }
        });
        break;
      case "release":
        for (const child of event.children) made.poses.set(`${event.seat}${child}`, now);
        break;
    }
    now += time;
  }
  made.lasts = now;
  return made;
}

const SOUNDS: readonly (readonly [Event["key"], Sound])[] = [
  ["kiss", "kiss"],
  ["end", "bell"],
  ["detention", "whistle"],
  ["fight", "thud"],
  ["break_up", "thud"],
  ["coin", "coin"],
  ["shove", "slap"],
  ["shove_nun", "slap"],
  ["walk", "step"],
  ["nun", "step"],
];

/** The one sound of a step: its most remarkable event decides. */
export function sound(events: Event[]): Sound | null {
  return SOUNDS.find(([key]) => events.some((event) => event.key === key))?.[1] ?? null;
}
