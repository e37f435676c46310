import "@fontsource/atkinson-hyperlegible/latin-400.css";
import "@fontsource/atkinson-hyperlegible/latin-700.css";
import "@fontsource/patrick-hand/latin-400.css";
import "./tokens.css";
import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { loadCatalogue } from "./lib/catalogue/games";
import { whenIdle } from "./lib/ui/when-idle";
import { listen } from "./lib/device/install-prompt";
import { showError } from "./lib/text/error-messages";
import { follow, go } from "./lib/navigation/router.svelte";
import { settings } from "./lib/device/settings.svelte";
import { loadWords } from "./lib/text/words.svelte";

function start(): void {
  follow();
  if (location.search === "?shared") go("/replay", "replace"); // another app has handed a file over
  const target = document.getElementById("app");
  target?.replaceChildren(); // what stood there until now
  if (target) mount(App, { target });
  if (settings.keep || navigator.serviceWorker?.controller) whenIdle(settle);
}

function settle(): void {
  import("./after-load").then((found) => found.settle()).catch(() => undefined); // without it the page is a page
}

listen();

/** Show the page, once its words are here. */
export async function begin(): Promise<void> {
  const shelf = loadCatalogue().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  await loadWords(["first"]);
  const failed = await shelf;
  if (failed) showError(failed.error);
  start();
}
