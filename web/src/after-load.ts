/** What comes after everything else of a visit: the page becomes an app on this device. */
import { mount } from "svelte";
import { readying } from "./offline/python-status.svelte";
import Renewal from "./parts/frame/UpdateNotice.svelte";
import { app } from "./lib/device/offline-cache.svelte";
import { learnWords } from "./lib/text/words.svelte";

export async function settle(): Promise<void> {
  await readying.calm(); // a game that is being loaded needs the whole connection
  await Promise.all([app.begin(), learnWords(["shared"]).then(() => mount(Renewal, { target: document.body }))]);
}
