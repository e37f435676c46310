/**
 * Builds src/service-worker/main.ts into one file with a name that never changes, which the server serves as /service.js, and
 * packs the files of the page that it keeps into one archive: a line of JSON with names and lengths, then the files one
 * after the other, all of it gzipped. One request is quicker than a hundred, and cannot be half refused.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const STATIC = here("../src/preau/server/static");
/** Files that a kept page does not need: compressed forms, pictures for chats, Python, and what is fetched by itself. */
const LEFT_OUT =
  /\.(?:br|gz|woff|pack)$|^previews\/|^assets\/offline(?:\/|$)|^(?:index\.html|service\.js|offline\.json)$/;

function files(): string[] {
  const all = readdirSync(STATIC, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return all.map((one) => `${one.parentPath}/${one.name}`.slice(STATIC.length + 1).replaceAll("\\", "/")).sort();
}

const hash = (data: Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** Write the archive; its address beside the page, its length, and its SHA-256. */
function pack(): { path: string; bytes: number; sha256: string } {
  for (const name of files()) if (name.endsWith(".pack")) rmSync(`${STATIC}/${name}`);
  const names = files().filter((name) => !LEFT_OUT.test(name));
  const data = names.map((name) => readFileSync(`${STATIC}/${name}`));
  const head = Buffer.from(`${JSON.stringify(names.map((name, at) => [name, data[at]?.length]))}\n`);
  const packed = gzipSync(Buffer.concat([head, ...data]), { level: 9 });
  const sha256 = hash(packed);
  const path = `assets/page-${sha256.slice(0, 16)}.pack`;
  writeFileSync(`${STATIC}/${path}`, packed);
  return { path, bytes: packed.length, sha256 };
}

export default defineConfig({
  define: { PACK: JSON.stringify(pack()) },
  build: {
    outDir: STATIC,
    emptyOutDir: false,
    copyPublicDir: false,
    target: "es2022",
    modulePreload: false,
    rolldownOptions: {
      input: here("src/service-worker/main.ts"),
      output: { entryFileNames: "service.js", format: "iife", codeSplitting: false },
    },
  },
});
