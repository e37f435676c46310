/**
 * Makes the page's own Python: run by `python -m tools.offline`, which see. Starts Pyodide under Node.js, lets it compile
 * what it will run (tools/offline_inside.py), and compresses all files, each once: what is in `packed` stays there under
 * the hash of its content.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { loadPyodide } from "pyodide";

const [inside, src, wheel, out, packed] = process.argv.slice(2);
const home = fileURLToPath(new URL("./node_modules/pyodide/", import.meta.url));

const pyodide = await loadPyodide({ indexURL: home, packages: [] });
for (const [place, folder] of Object.entries({ "/src": src, "/wheel": wheel, "/out": out })) {
    pyodide.FS.mkdirTree(place);
    pyodide.mountNodeFS(place, folder);
}
pyodide.runPython(readFileSync(inside, "utf8"));

const { info } = JSON.parse(readFileSync(join(home, "pyodide-lock.json"), "utf8"));
writeFileSync(join(out, "about.json"), JSON.stringify({ lock: { info, packages: {} } }));

/** Names as in `pack` of tools/offline.py. */
async function compress(path) {
    const data = readFileSync(path);
    const name = join(packed, createHash("sha256").update(data).digest("hex").slice(0, 16));
    if (existsSync(`${name}.br`) && existsSync(`${name}.gz`)) return;
    const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 24,
        [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
    };
    writeFileSync(`${name}.gz`, await promisify(gzip)(data, { level: 9 }));
    writeFileSync(`${name}.br`, await promisify(brotliCompress)(data, { params }));
}

mkdirSync(packed, { recursive: true });
const whole = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"].map((name) => join(home, name));
const made = ["python.zip", "preau.bin", "compiled.bin"].map((name) => join(out, name)).filter(existsSync);
await Promise.all([...whole, ...made].map(compress));
