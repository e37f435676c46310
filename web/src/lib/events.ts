/** What of the events is put into words. */
import type { Texts } from "./messages";
import type { Json } from "./wire";

/** The events that have words. */
export function worded<One extends { event: Json }>(texts: Texts, events: readonly One[]): One[] {
  return events.filter(({ event }) => texts.has(`event.${String(event["key"])}`));
}
