/** Builds src/service/main.ts into one file with a name that never changes, which the server serves as /service.js. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const STATIC = here("../src/preau/server/static");
/** What whoever has the page on their device needs none of: packed forms, pictures for chats, Python, and what is there anyway. */
const LEFT_OUT = /\.(?:br|gz|woff)$|^previews\/|^assets\/offline(?:\/|$)|^(?:index\.html|service\.js|offline\.json)$/;

function files(): string[] {
  const all = readdirSync(STATIC, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const names = all.map((one) => `${one.parentPath}/${one.name}`.slice(STATIC.length + 1).replaceAll("\\", "/"));
  return names.filter((name) => !LEFT_OUT.test(name)).sort();
}

export default defineConfig({
  define: { FILES: JSON.stringify(files()) },
  build: {
    outDir: STATIC,
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
