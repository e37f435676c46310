/** Calls that somebody has heard. */
import { mine } from "./mine.svelte";

/** Take away what the browser still shows of a table: it was heard, or its turn is over. */
export async function takeAway(table: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration("/").catch(() => undefined);
  for (const one of (await worker?.getNotifications()) ?? []) {
    if ((one.data as { table?: string } | null)?.table === table) one.close();
  }
  await navigator.setAppBadge?.(mine.waiting).catch(() => undefined);
}
