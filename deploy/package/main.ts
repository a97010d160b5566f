/** `npm run package [-- images] [names]`: packages of the programs and the libraries, or images of the programs, in dist/. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { inRepository } from "../local/repository.ts";
import { LIBRARIES, type PackagedLibrary } from "./libraries.ts";
import { packageFiles } from "./package-files.ts";
import { packageImages } from "./package-images.ts";
import { type PackagedProgram, PROGRAMS } from "./programs.ts";
import { type PackagingKeys, readPackagingKeys } from "./release-keys.ts";
import { changesOfCheckout } from "./release-of-checkout.ts";

/** Beyond it decompression takes more memory than small machines may have. */
const LEVEL_MAX = 19;

/** As a word of the command line, in place of archives and Debian packages. */
const IMAGES = "images";

const CHANGES_SHOWN_MAX = 10;

const PACKAGED: readonly (PackagedProgram | PackagedLibrary)[] = [...PROGRAMS, ...LIBRARIES];

const HELP = `Usage: npm run package -- [images] [names] [--to folder]

Builds self-contained packages of the programs (${PROGRAMS.map(({ name }) => name).join(", ")}): an archive and a Debian
package each, with a pinned Node, their licences and a bill of materials (SPDX). And what others install:
${LIBRARIES.map(({ name, form }) => `  ${name.padEnd(22)} ${form}`).join("\n")}
The same sources give the same bytes; a checkout with changes is refused. release.json lists all of them with their digests: coordinators serve it, and agents take
what the release key signed. Where names are given, the other files of the release in that folder stay in it.

With the word images it builds an OCI image of each program instead, as a file for docker load, podman load or skopeo,
and next to it a bill of materials (SPDX) and its provenance (SLSA). It needs mmdebstrap and no container engine. The
same sources and the same Debian packages give the same digest.

Options:
  --to <folder>         where they are written (default: dist)
  --level <n>           of zstd, 1 to 19 (default: 19, which takes minutes; the sizes differ by a third)
  --sign-key <file>     sign release.json and each file with this private key of \`npm run release-key\`: writes <file>.sig
  --allow-changes       build from a checkout that has changes; label, provenance and build info state "<commit>-changed"
  --release-key <file>  build these public keys in, which agents and coordinators use where /etc/elastic/release-keys.pem is not there

Examples:
  npm run package
  npm run package -- elastic-agent --to /srv/www/elastic
  npm run package -- elastic-client elastic-client-python
  npm run package -- --sign-key release.key --release-key release.key.pub
  npm run package -- images elastic-coordinator`;

const { values, positionals } = readLine();
const isOfImages = positionals.includes(IMAGES);
const names = positionals.filter((word) => word !== IMAGES);
const known: readonly (PackagedProgram | PackagedLibrary)[] = isOfImages ? PROGRAMS : PACKAGED;
const unknown = names.find((name) => !known.some((one) => one.name === name));
if (values.help) console.log(HELP);
else if (unknown !== undefined) {
  const what = isOfImages ? "program" : "package";
  console.error(`package: there is no ${what} ${unknown}; npm run package -- --help lists them`);
  process.exitCode = 2;
} else if (!isLevel(values.level)) {
  console.error(`package: --level is a whole number from 1 to ${LEVEL_MAX}`);
  process.exitCode = 2;
} else {
  if (!values["allow-changes"]) refuseChanges();
  const keys = readKeys();
  const { env } = process;
  const isWanted = ({ name }: { readonly name: string }) => names.length === 0 || names.includes(name);
  setUp(known.filter(isWanted).flatMap((one) => one.setUp));
  mkdirSync(values.to, { recursive: true });
  if (isOfImages) await packageImages(PROGRAMS.filter(isWanted), values.to, keys.builtIn, env);
  else {
    const to = { folder: values.to, level: Number(values.level), isPartial: names.length > 0 };
    await packageFiles(PACKAGED.filter(isWanted), { ...to, env, ...keys });
  }
}

/** What is released names its commit, and whoever has that one shall have the same sources. */
function refuseChanges(): void {
  const changes = changesOfCheckout();
  if (changes.length === 0) return;
  const shown = changes.slice(0, CHANGES_SHOWN_MAX).map((line) => `  ${line}\n`);
  const more = changes.length > shown.length ? `  and ${changes.length - shown.length} more\n` : "";
  console.error(
    `package: the checkout has changes, so that its packages would not be what its commit says:\n${shown.join("")}${more}` +
      "Nothing was built. Commit them, or put them aside with git stash --include-untracked; for packages of your own, which then " +
      "state <commit>-changed, pass --allow-changes",
  );
  process.exit(1);
}

function readKeys(): PackagingKeys {
  try {
    return readPackagingKeys(values["sign-key"], values["release-key"]);
  } catch (error) {
    console.error(`package: ${(error as Error).message}. Nothing was built`);
    return process.exit(2);
  }
}

/** What goes into the packages, and what builds them. */
function setUp(parts: readonly string[]): void {
  const all = new Set([...parts, ...(isOfImages ? ["bare-root"] : [])]);
  const { status } = spawnSync("bash", [inRepository("deploy", "setup.sh"), ...all], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

function readLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        to: { type: "string", default: inRepository("dist") },
        level: { type: "string", default: String(LEVEL_MAX) },
        "sign-key": { type: "string" },
        "allow-changes": { type: "boolean", default: false },
        "release-key": { type: "string" },
      },
    });
  } catch (error) {
    // Node's own messages have further lines on arguments that look like options.
    console.error(`package: ${(error as Error).message.split(". ")[0]}; npm run package -- --help lists the options`);
    return process.exit(2);
  }
}

function isLevel(text: string): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= LEVEL_MAX;
}
