/** Releases of the agent as an operator makes and serves them, signed by a key of the test. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { writeArchive } from "@elastic/deploy/package/archive.ts";
import { manifestText, parseManifest, type ReleaseManifest } from "@elastic/std/program-release/manifest.ts";
import {
  newReleaseKey,
  type ReleaseKeyPair,
  readSigningKey,
  signatureOf,
} from "@elastic/std/program-release/signature.ts";

/** The smallest is for releases: it takes minutes. */
const LEVEL = "3";

/** `npm run package -- elastic-agent --sign-key`: writes the packages and the release into `to`. */
export function packageAgent(to: string, { privatePem, publicPem }: ReleaseKeyPair): void {
  const [signKey, releaseKey] = [`${to}.key`, `${to}.key.pub`];
  writeFileSync(signKey, privatePem, { mode: 0o600 });
  writeFileSync(releaseKey, publicPem);
  const keys = ["--sign-key", signKey, "--release-key", releaseKey];
  const args = [
    inRepository("deploy", "package", "main.ts"),
    "elastic-agent",
    "--allow-changes",
    "--to",
    to,
    "--level",
    LEVEL,
    ...keys,
  ];
  execFileSync(process.execPath, args, { stdio: "pipe" });
}

export function readManifest(folder: string): ReleaseManifest {
  return parseManifest(readFileSync(join(folder, "release.json")));
}

/** Writes what it says over the manifest that is there, and signs it. */
export function signManifest(folder: string, manifest: ReleaseManifest, key: ReleaseKeyPair): void {
  const text = manifestText(manifest);
  writeFileSync(join(folder, "release.json"), text);
  writeFileSync(join(folder, "release.json.sig"), signatureOf(Buffer.from(text), readSigningKey(key.privatePem)));
}

/** A copy of a release in another folder, for a test to change. */
export function copyRelease(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

export const RELEASE_KEY: ReleaseKeyPair = newReleaseKey();

/** A release like another one, of an agent that calls itself another version, and that does not run where that is wanted. */
export async function changeAgent(
  from: string,
  to: string,
  { version, runs }: { readonly version: string; readonly runs: boolean },
  key: ReleaseKeyPair,
): Promise<void> {
  mkdirSync(to, { recursive: true });
  const before = readManifest(from);
  const [work, name] = [`${to}.work`, `elastic-agent-${version}-${before.platform}.tar.zst`];
  mkdirSync(work);
  const archive = join(from, `elastic-agent-${before.version}-${before.platform}.tar.zst`);
  execFileSync("tar", ["-x", "-C", work], { input: zstdDecompressSync(readFileSync(archive)) });
  const tree = join(work, `elastic-agent-${before.version}`);
  for (const path of readdirSync(tree, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".js")) continue;
    const text = readFileSync(join(tree, path), "utf8");
    const changed = text.replace(`AGENT_VERSION = "${before.version}"`, `AGENT_VERSION = "${version}"`);
    if (changed !== text) writeFileSync(join(tree, path), changed);
  }
  const program = join(tree, "bin", "elastic-agent");
  const script = readFileSync(program, "utf8");
  if (!runs) writeFileSync(program, script.replace("\n", '\n[ "$1" != run ] || exit 1\n'));
  const prefix = `elastic-agent-${version}`;
  await writeArchive({ folder: tree, prefix, mtime: new Date(0), level: Number(LEVEL), to: join(to, name) });
  const bytes = readFileSync(join(to, name));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const [file] = before.files;
  const files = [{ name, sha256, size: bytes.length, unpackedSize: file?.unpackedSize ?? 0 }];
  signManifest(to, { ...before, version, files }, key);
  rmSync(work, { recursive: true });
}
