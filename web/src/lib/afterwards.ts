/** What comes after everything else of a visit: the page becomes an app on this device. */
import { mount } from "svelte";
import { readying } from "../offline/readying.svelte";
import Renewal from "../parts/Renewal.svelte";
import { app } from "./app.svelte";
import { learnWords } from "./words.svelte";

/** A page that took longer than this to come has a slow line. There whoever knows what they want has this long to say so. */
const SLOW = 3_000;
const WHILE = 10_000;

export async function settle(): Promise<void> {
  await learnWords(["shared"]);
  mount(Renewal, { target: document.body });
  if (performance.now() > SLOW) await new Promise((resolve) => setTimeout(resolve, WHILE));
  await readying.calm(); // whoever waits for a game needs all of the line
  await app.begin();
}
