/**
 * The page's service worker, built into one file that is served as /service.js. It is registered when somebody first
 * needs it, never by a mere visit. Each thing it does is a module of its own beside this one.
 */
import { hearCalls, type Worker } from "./push";

hearCalls(self as unknown as Worker);
