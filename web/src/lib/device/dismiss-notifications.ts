/** Notifications that the user no longer needs. */
import { myTables } from "./my-tables.svelte";

/** Close the browser's notifications of a table: all of them, or those shown before its turn was `over`. Updates the badge. */
export async function dismissNotifications(table: string, over = Infinity): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration("/").catch(() => undefined);
  for (const one of ((await worker?.getNotifications()) ?? []) as (Notification & { timestamp?: number })[]) {
    const later = (one.timestamp ?? 0) > over;
    if (!later && (one.data as { table?: string } | null)?.table === table) one.close();
  }
  await navigator.setAppBadge?.(myTables.waiting).catch(() => undefined);
}
