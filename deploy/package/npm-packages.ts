/** The npm packages in a bundle: their versions and licences, from what npm installed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../local/repository.ts";
import { lockedDigests } from "./locked-digests.ts";
import type { Checksum } from "./spdx.ts";

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; null where the package states none. */
  readonly license: string | null;
  /** The text of its licence files; empty where it has none. */
  readonly licenseText: string;
  /** Of the archive that npm installed; null where package-lock.json has none. */
  readonly checksum: Checksum | null;
}

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** Of folders such as `node_modules/zod`, each package and version once, sorted by name. */
export function readNpmPackages(folders: readonly string[]): readonly NpmPackage[] {
  const found = new Map<string, NpmPackage>();
  const digestOf = lockedDigests();
  for (const folder of folders) {
    const one = { ...readNpmPackage(inRepository(folder)), checksum: digestOf(folder) };
    found.set(`${one.name}@${one.version}`, one);
  }
  return [...found.keys()].toSorted().flatMap((key) => found.get(key) ?? []);
}

function readNpmPackage(folder: string): Omit<NpmPackage, "checksum"> {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: unknown;
  };
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const licenseText = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return {
    name,
    version,
    license: typeof license === "string" ? license : null,
    licenseText: licenseText.join("\n\n"),
  };
}

/** All licences as one text: they are to go with the code. */
export function licenseTexts(packages: readonly NpmPackage[]): string {
  const rule = "-".repeat(80);
  return packages
    .map(
      ({ name, version, license, licenseText }) =>
        `${rule}\n${name} ${version} (${license ?? "no licence stated"})\n\n${licenseText}\n`,
    )
    .join("\n");
}
