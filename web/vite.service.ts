/** Builds src/service/main.ts into one file with a name that never changes, which the server serves as /service.js. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  build: {
    outDir: here("../src/preau/server/static"),
    emptyOutDir: false,
    copyPublicDir: false,
    target: "es2022",
    modulePreload: false,
    rolldownOptions: {
      input: here("src/service/main.ts"),
      output: { entryFileNames: "service.js", format: "iife", codeSplitting: false },
    },
  },
});
