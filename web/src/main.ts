import "@fontsource/atkinson-hyperlegible/latin-400.css";
import "@fontsource/atkinson-hyperlegible/latin-700.css";
import "@fontsource/patrick-hand/latin-400.css";
import "./tokens.css";
import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { openShelf } from "./lib/games";
import { complain } from "./lib/problems";
import { follow } from "./lib/router.svelte";
import { learnWords } from "./lib/words.svelte";

function start(): void {
  follow();
  const target = document.getElementById("app");
  if (target) mount(App, { target });
}

// no waiting at the top of a module: other parts could then not be in one file with it
void Promise.all([openShelf(), learnWords(["first"])])
  .catch(complain)
  .finally(start);
