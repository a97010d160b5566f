/** The command as JavaScript that needs no other package: what an installed `elastic` runs. */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { PACKAGE_ROOT } from "../package/package-root.ts";

const PROGRAMS = {
  main: join(PACKAGE_ROOT, "main.ts"),
  "connect-ssh": join(PACKAGE_ROOT, "connect-ssh", "main.ts"),
};

/**
 * Writes `main.js`, `connect-ssh.js` and what they load on demand to a folder, each file at once: another process may be starting
 * it. Returns the paths of the modules in it.
 */
export async function bundleCommand(folder: string): Promise<readonly string[]> {
  await using bundle = await rolldown({ input: PROGRAMS, platform: "node" });
  const { output } = await bundle.generate({ comments: { legal: true } });
  for (const file of output) {
    const path = join(folder, file.fileName);
    const unfinished = `${path}.${process.pid}`;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, file.type === "chunk" ? file.code : file.source);
    await rename(unfinished, path);
  }
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}
