/** Calls that somebody has heard. */
import { myTables } from "./my-tables.svelte";

/** Take away what the browser still shows of a table: it was heard, or its turn was over at some time. What came later stays. */
export async function dismissNotifications(table: string, over = Infinity): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration("/").catch(() => undefined);
  for (const one of ((await worker?.getNotifications()) ?? []) as (Notification & { timestamp?: number })[]) {
    const later = (one.timestamp ?? 0) > over;
    if (!later && (one.data as { table?: string } | null)?.table === table) one.close();
  }
  await navigator.setAppBadge?.(myTables.waiting).catch(() => undefined);
}
