/**
 * Runs a Python program in the page's own Python, for `python -m tools.wasm`, which see: node wasm.mjs PROGRAM PLACE=FOLDER ...
 * Each folder is seen at its place. Compiled modules in them are looked at first: a symbol that this Python does not have
 * would be missed only where it is used.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const GIVEN = ["__memory_base", "__table_base"];

const [program, ...places] = process.argv.slice(2);
const home = fileURLToPath(new URL("./node_modules/pyodide/", import.meta.url));
const env = { PYTHONHASHSEED: "0", HOME: "/home/pyodide" };
const pyodide = await loadPyodide({ indexURL: home, packages: [], env });
const known = pyodide._module.LDSO.loadedLibsByName.__main__.exports;
for (const [place, folder] of places.map((one) => one.split("="))) {
    pyodide.FS.mkdirTree(place);
    pyodide.mountNodeFS(place, folder);
    for (const name of readdirSync(folder, { recursive: true }).filter((one) => one.endsWith(".so"))) {
        const found = new WebAssembly.Module(readFileSync(join(folder, name)));
        const there = new Set([...GIVEN, ...WebAssembly.Module.exports(found).map((one) => one.name)]);
        const wanted = WebAssembly.Module.imports(found).map((one) => one.name);
        const missing = wanted.filter((one) => !(one in known) && !there.has(one));
        if (missing.length > 0) throw new Error(`${name} wants what this Python does not have: ${missing.join(", ")}`);
    }
}
pyodide.runPython(readFileSync(program, "utf8"));
