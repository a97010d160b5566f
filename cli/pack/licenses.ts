/** The licences that go with the packed command: its own, and those of the npm packages whose code is in its bundle. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../package/package-root.ts";

export const LICENSE_FILES = ["LICENSE-MIT", "LICENSE-APACHE"] as const;
export const THIRD_PARTY_LICENSES = "third-party-licenses.txt";

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;
const RULE = "-".repeat(80);

/** `modules` are the paths of what was bundled. */
export function writeLicenses(modules: readonly string[]): void {
  for (const file of LICENSE_FILES) copyFileSync(join(PACKAGE_ROOT, "..", file), join(PACKAGE_ROOT, file));
  const folders = new Set(
    modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  );
  const texts = new Map([...folders].flatMap((folder) => licenseOf(folder) ?? []));
  const text = [...texts.keys()].toSorted().map((name) => `${RULE}\n${name}\n\n${texts.get(name)}\n`);
  writeFileSync(join(PACKAGE_ROOT, THIRD_PARTY_LICENSES), text.join("\n"));
}

/** The folder of a workspace of this repository is a link, and has no files of licences. */
function licenseOf(folder: string): readonly [readonly [string, string]] | null {
  if (!existsSync(join(folder, "package.json"))) return null;
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: unknown;
  };
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [[`${name} ${version} (${typeof license === "string" ? license : "no licence stated"})`, texts.join("\n\n")]];
}
