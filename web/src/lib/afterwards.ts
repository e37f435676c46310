/** What comes after everything else of a visit: the page becomes an app on this device. */
import { mount } from "svelte";
import Renewal from "../parts/Renewal.svelte";
import { app } from "./app.svelte";
import { learnWords } from "./words.svelte";

export async function settle(): Promise<void> {
  await learnWords(["shared"]);
  mount(Renewal, { target: document.body });
  await app.begin();
}
