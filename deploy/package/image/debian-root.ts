/**
 * The least root file system that a program runs in: files of Debian packages, unpacked and never configured, so that no
 * script runs and the same packages give the same files. mmdebstrap resolves, downloads and verifies them.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { runTool } from "../../local/run-tool.ts";
import { pathsBelow } from "../paths-below.ts";

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** Of the `.deb`. */
  readonly sha256: string;
}

export interface RootContents {
  /** With what they depend on. */
  readonly packages: readonly string[];
  /** Of these, what only scripts of packages need. */
  readonly leftOut: readonly string[];
}

/** The one that packages are built for; another one has other libraries. */
export const SUITE = "bookworm";

const TOOLS = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
/** Read by people only, and encodings that no program here reads; licences, which are `copyright`, stay. */
const UNREAD =
  /^usr\/(share\/(man|info|locale|lintian|bash-completion|debianutils)|lib\/[^/]+\/gconv|share\/doc\/.*(changelog|NEWS|README)[^/]*)$/;
const AUTHORITIES = "usr/share/ca-certificates/mozilla";

/** Makes it in `root`, which does not exist; `work` is a folder for what is only needed meanwhile. */
export async function makeDebianRoot(
  { packages, leftOut }: RootContents,
  root: string,
  work: string,
): Promise<readonly DebianPackage[]> {
  const archives = join(work, "archives");
  await mkdir(archives, { recursive: true });
  await mkdir(root, { recursive: true });
  download(packages, archives, join(work, "resolved"));
  const found: DebianPackage[] = [];
  for (const file of (await readdir(archives)).toSorted()) {
    const archive = join(archives, file);
    const [name = "", version = "", architecture = ""] = fieldsOf(archive);
    if (leftOut.includes(name)) continue;
    runTool(TOOLS, "dpkg-deb", "--extract", archive, root);
    // Where scanners of images without a package manager look.
    await write(join(root, "var/lib/dpkg/status.d", name), runTool(TOOLS, "dpkg-deb", "--field", archive));
    const sha256 = createHash("sha256")
      .update(await readFile(archive))
      .digest("hex");
    found.push({ name, version, architecture, sha256 });
  }
  for (const path of await pathsBelow(root)) {
    if (UNREAD.test(path)) await rm(join(root, path), { recursive: true, force: true });
  }
  await write(join(root, "etc/ssl/certs/ca-certificates.crt"), await bundleOf(join(root, AUTHORITIES)));
  // What a package's script would link.
  if (existsSync(join(root, "bin/dash")) && !existsSync(join(root, "bin/sh")))
    await symlink("dash", join(root, "bin/sh"));
  await write(join(root, "etc/ld.so.conf"), "include /etc/ld.so.conf.d/*.conf\n");
  return found;
}

function download(packages: readonly string[], archives: string, resolved: string): void {
  const keep = `cp "$1"/var/cache/apt/archives/*.deb '${archives}'`;
  const options = ["--variant=extract", "--quiet", `--include=${packages.join(",")}`, `--extract-hook=${keep}`];
  runTool(TOOLS, "mmdebstrap", ...options, SUITE, resolved);
}

function fieldsOf(archive: string): readonly string[] {
  const lines = runTool(TOOLS, "dpkg-deb", "--field", archive, "Package", "Version", "Architecture").trim().split("\n");
  if (lines.length !== 3) throw new Error(`${basename(archive)} is no Debian package`);
  return lines.map((line) => line.replace(/^\S+ /, ""));
}

/** As `update-ca-certificates` writes it, which is not run here. */
async function bundleOf(folder: string): Promise<string> {
  if (!existsSync(folder)) return "";
  const files = (await readdir(folder)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return texts.map((text) => `${text.trim()}\n`).join("");
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, text);
}
