/** A program as JavaScript that needs no package of npm but those that are named. */
import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { repositoryRoot } from "../local/repository.ts";
import { packageFolder } from "./package-folder.ts";
import { placeModules, preamble } from "./place-modules.ts";

/** Native parts that `ssh2` and `pg` load where they are installed, and do without here. */
const ABSENT = ["cpu-features", "pg-native", /\.node$/];

/** Returns the folders of the npm packages whose code is in it, as paths in the repository. */
export async function bundleProgram(
  main: string,
  npmPackages: readonly string[],
  folder: string,
): Promise<readonly string[]> {
  const path = (module: string): string => module.replace(/\.ts$/, "");
  await using bundle = await rolldown({
    cwd: repositoryRoot,
    input: { [path(main)]: join(repositoryRoot, main) },
    platform: "node",
    external: [...ABSENT, ...npmPackages],
    plugins: [placeModules(repositoryRoot)],
  });
  const { output } = await bundle.write({
    dir: folder,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    intro: ({ fileName }) => preamble(fileName),
    comments: { legal: true },
  });
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  return [...new Set(modules.flatMap((id) => packageFolder(relative(repositoryRoot, id)) ?? []))].toSorted();
}
