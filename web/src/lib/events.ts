/** What of the events is put into words. */
import type { Texts } from "./messages";
import type { Json } from "./wire";

/** The events that have words; what is told to oneself replaces what everybody is told. */
export function worded<One extends { event: Json }>(texts: Texts, events: readonly One[]): One[] {
  return events.filter(({ event }, at) => {
    const key = String(event["key"]);
    return texts.has(`event.${key}`) && events[at + 1]?.event["key"] !== `own_${key}`;
  });
}
