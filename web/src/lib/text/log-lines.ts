/** The lines of a table's log, out of its steps. */
import type { Json, Step } from "../net/protocol";

export interface LogLine {
  id: string;
  text: string;
  /** The rules behind it. */
  rules: string[];
  seat: number | undefined;
  turn: boolean;
  times: number;
  /** The bot of the seat did not decide this itself: the level that did, or `skipped`. */
  eased: string;
}

/**
 * A line an event, or as the game puts them together (`lines`), in the words of `tell`. The same thing several times in a
 * row is one line. Who decided in the place of a bot stands on the first line of what came of it.
 */
export function logLines(
  steps: Step[],
  tell: (key: string, event: Json) => string,
  lines: (events: Json[]) => Json[][] = (events) => events.map((event) => [event]),
): LogLine[] {
  const found: LogLine[] = [];
  for (const step of steps) {
    for (const [at, events] of lines(step.events ?? []).entries()) {
      const [event] = events;
      if (!event) continue;
      const key = `event.${String(event["key"])}`;
      const text = events.map((one) => tell(`event.${String(one["key"])}`, one)).join(" ");
      const eased = at === 0 ? (step.eased ?? "") : "";
      const last = found.at(-1);
      if (last?.text === text && last.eased === eased) {
        last.times++;
        continue;
      }
      const seat = typeof event["seat"] === "number" ? event["seat"] : undefined;
      const rules = [...new Set(events.map((one) => String(one["rule"] ?? "")).filter(Boolean))];
      found.push({ id: `${step.number}.${at}`, text, rules, seat, turn: key === "event.turn", times: 1, eased });
    }
  }
  return found;
}
