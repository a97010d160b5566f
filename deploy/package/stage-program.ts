/**
 * Lays a program out as its packages have it:
 *
 *   bin/<name>  lib/<name>/{node, <bundle and data>, bin, lib, node_modules}  lib/systemd/system/  share/<name>/  share/doc/<name>/
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BUILD_FILE } from "@elastic/std/metrics/build-commit.ts";
import { inRepository } from "../local/repository.ts";
import { SERVICE_NODE_OPTION } from "../node-options.ts";
import { bundleProgram } from "./bundle-program.ts";
import { nativeComponents } from "./native-components.ts";
import { licenseTexts, type NpmPackage, readNpmPackages } from "./npm-packages.ts";
import { packageFolder } from "./package-folder.ts";
import type { PackagedProgram } from "./programs.ts";
import { sha256OfFile } from "./sha256-of-file.ts";
import { type Component, sha256Checksum, spdxDocument } from "./spdx.ts";
import { stageServiceFiles } from "./stage-service-files.ts";

export interface Release {
  readonly version: string;
  /** When the sources were committed: the time of all files. */
  readonly committed: Date;
  /** Its hash, with `-changed` where the sources are not that commit's; null where they are no checkout. */
  readonly commit: string | null;
  /** Public keys of releases in PEM that are built in; null for none. */
  readonly releaseKeys: string | null;
}

export const LICENSE = "MIT OR Apache-2.0";
const LEFT_OUT = /\.test\.ts$|\/(testing|vendor|doc)(\/|$)/;

/** Under `folder`, which is empty; returns what is in it. Throws where something that is to go in was not built. */
export async function stageProgram(
  program: PackagedProgram,
  { version, committed, commit, releaseKeys }: Release,
  folder: string,
): Promise<readonly Component[]> {
  const { name } = program;
  const lib = join(folder, "lib", name);
  const bundled = await bundleProgram(program.main, program.npmPackages, lib);
  await writeFile(join(lib, "package.json"), '{"type":"module"}\n');
  await writeFile(join(lib, BUILD_FILE), `${JSON.stringify({ commit: commit ?? "unknown" })}\n`);
  for (const path of program.data) await copy(path, join(lib, path));
  for (const [from, to] of Object.entries(program.native)) await copy(from, join(lib, to));
  for (const one of program.npmPackages) await copy(`node_modules/${one}`, join(lib, "node_modules", one));
  await copy("node_modules/node/bin/node", join(lib, "node"));
  await chmod(join(lib, "node"), 0o755);
  // Where std/program-release/trusted-keys.ts looks.
  if (releaseKeys !== null) await writeFile(join(lib, "release-keys.pem"), releaseKeys);
  await writeCommand(program, join(folder, "bin", name));
  await stageServiceFiles(program, folder);
  const folders = [
    ...bundled,
    ...program.npmPackages.map((one) => `node_modules/${one}`),
    ...program.moduleLists.flatMap(packageFoldersOf),
  ];
  const packages = readNpmPackages(folders);
  const documents = join(folder, "share", "doc", name);
  await mkdir(documents, { recursive: true });
  await writeFile(join(documents, "third-party-licenses.txt"), licenseTexts(packages));
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"]) await copy(file, join(documents, file));
  const components: readonly Component[] = [
    {
      name: "node",
      version: process.versions.node,
      license: "MIT",
      purl: `pkg:generic/node@${process.versions.node}`,
      checksum: sha256Checksum(await sha256OfFile(join(lib, "node"))),
    },
    ...nativeComponents(Object.keys(program.native), { version, license: LICENSE }),
    ...packages.map(npmComponent),
  ];
  const sha256 = await digestOf(folder);
  const document = spdxDocument({ name, version, license: LICENSE, sha256, created: committed, components });
  await writeFile(join(documents, "sbom.spdx.json"), `${JSON.stringify(document, null, 2)}\n`);
  return components;
}

/** Of the modules that a list names. */
function packageFoldersOf(list: string): readonly string[] {
  const path = inRepository(list);
  if (!existsSync(path)) throw new Error(`${list} is not there: \`bash deploy/setup.sh\` builds it`);
  const modules = JSON.parse(readFileSync(path, "utf8")) as readonly string[];
  return [...new Set(modules.flatMap((module) => packageFolder(module) ?? []))];
}

function npmComponent({ name, version, license, checksum }: NpmPackage): Component {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { name, version, license, purl, ...(checksum === null ? {} : { checksum }) };
}

async function copy(from: string, to: string): Promise<void> {
  const source = inRepository(from);
  if (!existsSync(source)) throw new Error(`${from} is not there: \`bash deploy/setup.sh\` builds it`);
  await mkdir(dirname(to), { recursive: true });
  await cp(source, to, {
    recursive: true,
    dereference: true,
    filter: (path) => !LEFT_OUT.test(path.slice(source.length)),
  });
}

/** Finds the program by its own place, so that an archive may be unpacked anywhere. */
async function writeCommand({ name, main }: PackagedProgram, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const lib = `"$(dirname "$(readlink -f "$0")")"/../lib/${name}`;
  const script = `${lib}/${main.replace(/\.ts$/, ".js")}`;
  await writeFile(path, `#!/bin/sh\nexec ${lib}/node ${SERVICE_NODE_OPTION} -- ${script} "$@"\n`);
  await chmod(path, 0o755);
}

/** SHA-256 over all paths and contents. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const path of (await readdir(folder, { recursive: true })).toSorted()) {
    if ((await lstat(join(folder, path))).isFile()) hash.update(`${path}\0`).update(await readFile(join(folder, path)));
  }
  return hash.digest("hex");
}
