/** Archives and Debian packages of the programs, and the libraries as registries take them, with their manifest. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeArchive } from "./archive.ts";
import { writeDebianPackage } from "./debian-package.ts";
import type { PackagedLibrary } from "./libraries.ts";
import type { PackagedProgram } from "./programs.ts";
import type { PackagingKeys } from "./release-keys.ts";
import { releaseOfCheckout } from "./release-of-checkout.ts";
import { sizeOnDisk } from "./size-on-disk.ts";
import { type Release, stageProgram } from "./stage-program.ts";
import { type PackagedFile, writeRelease } from "./write-release.ts";

export interface PackagingOptions extends PackagingKeys {
  readonly folder: string;
  /** Of zstd. */
  readonly level: number;
  readonly env: NodeJS.ProcessEnv;
  /** Whether packages were named. */
  readonly isPartial: boolean;
}

export async function packageFiles(
  wanted: readonly (PackagedProgram | PackagedLibrary)[],
  { folder, level, env, signing, builtIn, isPartial }: PackagingOptions,
): Promise<void> {
  const release = releaseOfCheckout(builtIn, env);
  const packaged: PackagedFile[] = [];
  for (const one of wanted) {
    const made =
      "make" in one ? packageLibrary(one, release, folder, env) : packageProgram(one, release, folder, level);
    packaged.push(...(await made));
  }
  const { version } = release;
  const platform = `linux-${process.arch}`;
  const { made, files, text } = await writeRelease({ folder, version, platform, files: packaged, signing, isPartial });
  writeFileSync(join(folder, "SHA256SUMS"), files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join(""));
  for (const { name, sha256, size } of made) {
    console.log(`${(size / 1024 ** 2).toFixed(1).padStart(6)} MiB  ${sha256}  ${join(folder, name)}`);
  }
  console.error(`package: ${text}`);
}

async function packageLibrary(
  library: PackagedLibrary,
  release: Release,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly PackagedFile[]> {
  const work = mkdtempSync(join(folder, ".unfinished-"));
  try {
    console.error(`package: ${library.name}: building`);
    const path = await library.make(work, folder, { committed: release.committed, env });
    return [{ path, unpackedSize: statSync(path).size }];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function packageProgram(
  program: PackagedProgram,
  release: Release,
  folder: string,
  level: number,
): Promise<readonly PackagedFile[]> {
  const { name } = program;
  const work = mkdtempSync(join(folder, ".unfinished-"));
  try {
    const staged = join(work, "staged");
    console.error(`package: ${name}: bundling`);
    await stageProgram(program, release, staged);
    const versioned = `${name}-${release.version}`;
    const archive = join(folder, `${versioned}-linux-${process.arch}.tar.zst`);
    console.error(`package: ${name}: compressing the archive`);
    await writeArchive({ folder: staged, prefix: versioned, mtime: release.committed, level, to: archive });
    const root = join(work, "root");
    mkdirSync(root, { mode: 0o755 });
    const debian = join(folder, `${name}_${release.version}_${process.arch === "x64" ? "amd64" : process.arch}.deb`);
    console.error(`package: ${name}: compressing the Debian package`);
    await writeDebianPackage(program, release, { staged, root, level, to: debian });
    const unpackedSize = await sizeOnDisk(staged);
    return [archive, debian].map((path) => ({ path, unpackedSize }));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
