/**
 * The page's service worker, built into one file that is served as /service.js. It comes after
 * everything else of a visit (lib/device/offline-cache.svelte.ts). Each thing it does is a module of its own beside this one.
 */
import { keepPage, type Keeper } from "./offline-cache";
import { hearCalls, type Worker } from "./push";

hearCalls(self as unknown as Worker);
keepPage(self as unknown as Keeper);
