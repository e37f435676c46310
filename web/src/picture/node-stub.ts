/** In the place of what only Node.js has: nothing here needs it. */
export {};
