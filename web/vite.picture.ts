/**
 * Builds src/picture/draw.ts into one file for engines without a document: the command line runs it, and the page loads
 * it when somebody wants a picture. Components are compiled to write markup, each with its styles.
 */
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { letters } from "./letters.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const FOLDER = here("../src/preau/pictures/made");

export const MADE = `${FOLDER}/picture.js`;

/** The page's own words that pictures say. */
const SAID = /^(replay\.(step_of|eyes_of|all_open)|plain\.|lobby\.(on|off))/;

function fewWords(): Plugin {
  return {
    name: "few-words",
    enforce: "pre",
    transform(code, id) {
      if (!/[\\/]texts[\\/]\w+[\\/]\w+\.json/.test(id)) return;
      const words = Object.entries(JSON.parse(code) as { [key: string]: string });
      return JSON.stringify(Object.fromEntries(words.filter(([key]) => SAID.test(key))));
    },
  };
}

export default defineConfig({
  plugins: [fewWords(), letters(), svelte({ compilerOptions: { css: "injected" } })],
  resolve: {
    alias: [
      { find: /^(\.\.\/)+lib\/text\/words\.svelte$/, replacement: here("src/picture/words.ts") },
      { find: /^node:.*/, replacement: here("src/picture/node-stub.ts") },
    ],
  },
  ssr: { noExternal: true, target: "webworker" },
  build: {
    ssr: here("src/picture/draw.ts"),
    outDir: FOLDER,
    emptyOutDir: true,
    copyPublicDir: false,
    target: "es2022",
    minify: true,
    rolldownOptions: { output: { entryFileNames: "picture.js", format: "es", codeSplitting: false } },
  },
});
