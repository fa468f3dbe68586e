// Installs the wheel in Pyodide and runs check.py: node pyodide.mjs PYODIDE WHEEL
// PYODIDE is the folder of a distribution, with pyodide.mjs, pyodide.asm.wasm and python_stdlib.zip.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wheel] = process.argv.slice(2).map((path) => resolve(path));
const bytes = async (file) => new Uint8Array(await readFile(file));
try {
    const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
    const python = await loadPyodide({ indexURL: folder });
    python.unpackArchive(await bytes(wheel), "wheel");
    python.FS.mkdir("/check");
    python.FS.writeFile("/check.py", await bytes(new URL("check.py", import.meta.url)));
    python.runPython(`
import runpy, sys
sys.argv[1:] = ["/check"]
runpy.run_path("/check.py", run_name="__main__")
`);
} catch (error) {
    console.error(error.message);
    process.exitCode = 1;
}
