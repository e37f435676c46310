/** What comes after everything else of a visit: the page becomes an app on this device. */
import { mount } from "svelte";
import { readying } from "../offline/readying.svelte";
import Renewal from "../parts/Renewal.svelte";
import { app } from "./app.svelte";
import { learnWords } from "./words.svelte";

export async function settle(): Promise<void> {
  await learnWords(["shared"]);
  mount(Renewal, { target: document.body });
  await readying.calm(); // whoever waits for a game needs all of the line
  await app.begin();
}
