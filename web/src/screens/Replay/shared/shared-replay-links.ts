/** Links to shared replays that were made on this device. Their key makes it the leader, also after a reload. */
import { api } from "../../../lib/net/api";
import { load, save } from "../../../lib/device/local-storage";
import type { TogetherLink } from "../../../lib/net/protocol";

/** A link, and the table whose game is replayed. */
export interface OwnLink extends TogetherLink {
  table: string;
}

/** The newest are kept. */
export const KEPT = 10;
const KEY = "leads";

const all = (): OwnLink[] => load<OwnLink[]>(KEY, []);

/** The link of this name, if it was made here. */
export const findOwnLink = (table: string, name: string): OwnLink | undefined =>
  all().find((one) => one.table === table && one.id === name);

/** The link to a shared replay of a table: the one that was made here before, or a new one. */
export async function makeOwnLink(table: string): Promise<OwnLink> {
  const known = all().findLast((one) => one.table === table);
  if (known) return known;
  const made = { ...(await api.together(table)), table };
  save(KEY, [...all(), made].slice(-KEPT));
  return made;
}

/** The key is of no use: the server does not know it any more. */
export function forgetOwnLink({ table, id }: OwnLink): void {
  save(
    KEY,
    all().filter((one) => one.table !== table || one.id !== id),
  );
}
