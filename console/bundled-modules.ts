/** Lists the modules that are in the bundle, for the bill of materials of the coordinator's package (deploy/package/). */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { Plugin } from "vite";

/** `root` is what the paths in `file`, a JSON array, begin from. */
export function bundledModules(root: string, file: string): Plugin {
  return {
    name: "bundled-modules",
    apply: "build",
    generateBundle(_options, bundle) {
      const inChunks = Object.values(bundle).flatMap((one) => (one.type === "chunk" ? one.moduleIds : []));
      // Style sheets are assets, which do not state what they are made of.
      const styles = [...this.getModuleIds()].filter((id) => /\.css(\?|$)/.test(id));
      const paths = [...inChunks, ...styles]
        .filter((id) => !id.startsWith("\0"))
        .map((id) => relative(root, id.replace(/\?.*$/, "")));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify([...new Set(paths)].toSorted(), null, 1)}\n`);
    },
  };
}
