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
const MAIN = fileURLToPath(new URL("src/main.ts", import.meta.url));

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

/**
 * Lets all that the page begins with be loaded beside the script that imports it: the main script as it is fetched by
 * src/lib/net/chunk-loader.ts, its style sheet, and the first words of every language, of which the server leaves one.
 */
function firstFiles(): Plugin {
  return {
    name: "first-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const links: HtmlTagDescriptor[] = [];
        const link = (file: string, attrs: HtmlTagDescriptor["attrs"]) =>
          links.push({ tag: "link", attrs: { crossorigin: true, href: base + file, ...attrs }, injectTo: "head" });
        for (const file of Object.values(bundle)) {
          if (file.type !== "chunk") continue;
          const words = /[\\/]texts[\\/](\w+)[\\/]first\.json$/.exec(file.facadeModuleId ?? "");
          const main = file.moduleIds.includes(MAIN);
          if (words || main)
            link(file.fileName, { rel: "preload", as: "fetch", ...(words && { "data-language": words[1] }) });
          if (main) for (const style of file.viteMetadata?.importedCss ?? []) link(style, { rel: "stylesheet" });
        }
        return links;
      },
    },
  };
}

/** Loads parts of the page by src/lib/net/chunk-loader.ts, which tries each file again, in the place of Vite's own helper. */
function retriedParts(): Plugin {
  return {
    name: "retried-parts",
    apply: "build",
    enforce: "pre",
    resolveId: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => fileURLToPath(new URL("src/lib/net/chunk-loader.ts", import.meta.url)),
    },
  };
}

/**
 * Few files, because on a slow line each is a way there and back, and browsers fetch six at a time: one for the first
 * load beside the small one that fetches it, one for what several screens share, one for what the parts of a game share;
 * the rest is as it is imported.
 */
const FILES = [
  { name: "index", tags: ["$initial" as const], priority: 2 },
  { name: (path: string, context: Modules) => (ofMain(context).has(path) ? "main" : null), priority: 1 },
  { name: (path: string) => /[\\/]games[\\/](\w+)[\\/]/.exec(path)?.[1] ?? "shared", minShareCount: 2 },
];

interface Modules {
  getModuleInfo(path: string): { importedIds: readonly string[] } | null;
}

/** The modules that the main script imports at once, and what the bundler adds for all scripts. */
function ofMain(modules: Modules): Set<string> {
  const found = new Set([MAIN, "\0rolldown/runtime.js"]);
  for (const path of found) for (const one of modules.getModuleInfo(path)?.importedIds ?? []) found.add(one);
  return found;
}

export default defineConfig({
  base,
  plugins: [retriedParts(), svelte(), letters(), firstFiles(), compressed()],
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
    modulePreload: {
      polyfill: false,
      // a part that is a single file is listed, too
      resolveDependencies: (file, others, { hostType }) => (hostType === "js" ? [...new Set([file, ...others])] : []),
    },
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
