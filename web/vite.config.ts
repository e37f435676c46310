import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { HtmlTagDescriptor, Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { letters } from "./letters.ts";
import { MADE } from "./vite.picture.ts";

/** Files find each other wherever the page is; its first file says where that is to whoever serves it. */
const base = "./";
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

/** Lets the first words of every language be loaded beside the first script; the server leaves one language. */
function firstWords(): Plugin {
  return {
    name: "first-words",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const links: HtmlTagDescriptor[] = [];
        for (const file of Object.values(bundle)) {
          const words =
            file.type === "chunk" && /[\\/]texts[\\/](\w+)[\\/]first\.json$/.exec(file.facadeModuleId ?? "");
          if (!words) continue;
          const attrs = {
            rel: "modulepreload",
            crossorigin: true,
            href: base + file.fileName,
            "data-language": words[1],
          };
          links.push({ tag: "link", attrs, injectTo: "head" });
        }
        return links;
      },
    },
  };
}

/** Loads parts of the page by src/lib/parts.ts, which tries each file again, in the place of Vite's own helper. */
function retriedParts(): Plugin {
  return {
    name: "retried-parts",
    apply: "build",
    enforce: "pre",
    resolveId: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => fileURLToPath(new URL("src/lib/parts.ts", import.meta.url)),
    },
  };
}

/**
 * Few files, because on a slow line each is a way there and back, and browsers fetch six at a time: one for the first
 * load, one for what several screens share, one for what the parts of a game share; the rest is as it is imported.
 */
const FILES = [
  { name: "first", tags: ["$initial" as const], priority: 1 },
  { name: (path: string) => /[\\/]games[\\/](\w+)[\\/]/.exec(path)?.[1] ?? "shared", minShareCount: 2 },
];

export default defineConfig({
  base,
  plugins: [retriedParts(), svelte(), letters(), firstWords(), compressed()],
  resolve: {
    alias: { "preau-picture": MADE },
    ...(process.env["VITEST"] ? { conditions: ["browser"] } : {}), // else tests get the Svelte of servers
  },
  build: {
    outDir: target,
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark(), all by May 2024
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: FILES } } },
  },
  worker: { format: "es" },
  server: {
    proxy: {
      "/api": { target: "http://127.0.0.1:8000", ws: true, changeOrigin: true },
      "/service.js": "http://127.0.0.1:8000", // as it was built
    },
  },
  // One document for all test files, because making one takes longer than most of them; no test fails for being slow.
  test: {
    environment: "happy-dom",
    isolate: false,
    include: ["src/**/*.test.ts"],
    setupFiles: "src/testing.ts",
    testTimeout: 120_000,
  },
});
