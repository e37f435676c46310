/** For unit tests: all words are here, in both languages. On the page each screen brings its own. */
import { beforeEach } from "vitest";
import { serverStatus } from "./lib/net/server-status.svelte";
import { loadWords } from "./lib/text/words.svelte";

const FILES = Object.keys(import.meta.glob("./texts/en/*.json"));
const names = FILES.map((path) => path.replace(/^.*\/|\.json$/g, ""));
await Promise.all([loadWords(names, "en"), loadWords(names, "fr")]);

// What one test finds out about the server is no news to the next.
beforeEach(() => void (serverStatus.unreachable = false));
