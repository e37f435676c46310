/**
 * The page's service worker, built into one file that is served as /service.js. It comes after
 * everything else of a visit (lib/device/offline-cache.svelte.ts). Each thing it does is a module of its own beside this one.
 */
import { serveOfflineCache, type CacheWorker } from "./offline-cache";
import { listenForPush, type Worker } from "./push";

listenForPush(self as unknown as Worker);
serveOfflineCache(self as unknown as CacheWorker);
