/**
 * For rolldown. Modules find files and start other programs by their own place in the repository, which they lose in a bundle:
 * this plug-in gives each its place below the package's root, and bundles each program that is started by its path to that path.
 */
import { dirname, join, relative } from "node:path";
import type { Plugin } from "rolldown";

const STARTED_BY_PATH = /new URL\(\s*"(\.\.?\/[^"]+)\.ts",\s*import\.meta\.url,?\s*\)/g;

export function placeModules(repository: string): Plugin {
  return {
    name: "place-modules",
    transform(code, id) {
      const path = relative(repository, id);
      if (path.startsWith("..") || path.includes("node_modules/")) return null;
      const placed = code
        .replace(STARTED_BY_PATH, (_, target: string) => {
          const started = join(dirname(path), target);
          this.emitFile({ type: "chunk", id: join(repository, `${started}.ts`), fileName: `${started}.js` });
          return `new URL("${started}.js", PACKAGE_ROOT)`;
        })
        .replaceAll("import.meta.url", `new URL("${path}", PACKAGE_ROOT).href`)
        .replaceAll(
          "import.meta.dirname",
          `process.getBuiltinModule("node:url").fileURLToPath(new URL("${dirname(path)}", PACKAGE_ROOT))`,
        );
      return placed === code ? null : { code: placed };
    },
  };
}

/** What each file of the bundle starts with. CommonJS modules of others expect the two names. */
export function preamble(fileName: string): string {
  const up = "../".repeat(fileName.split("/").length - 1);
  return [
    `const PACKAGE_ROOT = new URL("${up === "" ? "./" : up}", import.meta.url);`,
    "const __dirname = import.meta.dirname;",
    "const __filename = import.meta.filename;",
  ].join("\n");
}
