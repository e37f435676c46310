import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const target = "../src/preau/server/static";

/** Puts a .br and a .gz beside every text file, so that the server need not compress anything. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(target, { recursive: true, encoding: "utf8" })) {
        if (!/\.(html|js|css|svg|json|webmanifest)$/.test(name)) continue;
        const data = readFileSync(join(target, name));
        if (data.length < 1000) continue;
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        writeFileSync(join(target, `${name}.br`), brotliCompressSync(data, quality));
        writeFileSync(join(target, `${name}.gz`), gzipSync(data, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  base: "/static/",
  plugins: [svelte(), compressed()],
  build: {
    outDir: target,
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark(), all by May 2024
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true, changeOrigin: true } } },
  // One document for all test files, because making one takes longer than most of them; no test fails for being slow.
  test: { environment: "happy-dom", isolate: false, include: ["src/**/*.test.ts"], testTimeout: 120_000 },
});
