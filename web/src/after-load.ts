/** What comes after everything else of a visit: the page becomes an app on this device. */
import { mount } from "svelte";
import { pythonStatus } from "./offline/python-status.svelte";
import UpdateNotice from "./parts/frame/UpdateNotice.svelte";
import { offlineCache } from "./lib/device/offline-cache.svelte";
import { loadWords } from "./lib/text/words.svelte";

export async function settle(): Promise<void> {
  await pythonStatus.settled(); // a game that is being loaded needs the whole connection
  await Promise.all([
    offlineCache.begin(),
    loadWords(["shared"]).then(() => mount(UpdateNotice, { target: document.body })),
  ]);
}
