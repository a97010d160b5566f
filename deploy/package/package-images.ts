/** OCI images of the programs, with their bills of materials, provenance and digests. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { writeImage } from "./image/package-image.ts";
import type { PackagedProgram } from "./programs.ts";
import { releaseOfCheckout } from "./release-of-checkout.ts";
import { sha256OfFile } from "./sha256-of-file.ts";
import { stageProgram } from "./stage-program.ts";

/** `releaseKeys` are those that are built in, as PEM; null for none. */
export async function packageImages(
  programs: readonly PackagedProgram[],
  folder: string,
  releaseKeys: string | null,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const release = releaseOfCheckout(releaseKeys, env);
  const files: string[] = [];
  const digests: string[] = [];
  for (const program of programs) {
    const work = mkdtempSync(join(folder, ".unfinished-"));
    try {
      const staged = join(work, "staged");
      console.error(`package: ${program.name}: bundling`);
      const components = await stageProgram(program, release, staged);
      console.error(`package: ${program.name}: writing the image`);
      const to = join(folder, `${program.name}-${release.version}-linux-${process.arch}`);
      const image = await writeImage(program, release, { staged, components, work, to });
      files.push(...image.files);
      digests.push(`${program.name}:${release.version} ${image.manifestDigest}`);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  await writeSums(files, folder);
  for (const line of digests) console.log(line);
}

async function writeSums(files: readonly string[], folder: string): Promise<void> {
  const lines: string[] = [];
  for (const file of files) {
    const sha256 = await sha256OfFile(file);
    lines.push(`${sha256}  ${basename(file)}\n`);
    console.log(`${(statSync(file).size / 1024 ** 2).toFixed(1).padStart(6)} MiB  ${sha256}  ${file}`);
  }
  writeFileSync(join(folder, "SHA256SUMS.images"), lines.join(""));
}
