/** A release becomes a folder next to the version that runs: complete, signed by a key that this machine trusts, and able to start. */
import { execFile, spawn } from "node:child_process";
import { createHash, type KeyObject } from "node:crypto";
import { once } from "node:events";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createZstdDecompress } from "node:zlib";
import { parseManifest, type ReleaseFile, type ReleaseManifest } from "@elastic/std/program-release/manifest.ts";
import { isSigned } from "@elastic/std/program-release/signature.ts";
import { type Layout, programIn, UNFINISHED, versionFolder } from "./layout.ts";
import { downloadFile, type ReleaseSource, readSmallFile } from "./release-source.ts";
import { type CommandFailure, whyCommandFailed } from "./why-command-failed.ts";

export interface OfferedRelease {
  readonly manifest: ReleaseManifest;
  /** Of the manifest's bytes. */
  readonly manifestSha256: string;
  /** Of the coordinator that offers it; null where it does not say. */
  readonly coordinator: string | null;
}

/** The newest where no version is named. Rejects what no trusted key signed. */
export async function readOffer(
  source: ReleaseSource,
  wanted: { readonly platform: string; readonly version: string | null; readonly keys: readonly KeyObject[] },
): Promise<OfferedRelease> {
  const { platform, version, keys } = wanted;
  const folder = version === null ? platform : `${platform}/${version}`;
  const { bytes, coordinator } = await readSmallFile(source, `${folder}/release.json`);
  // Of another release, where one came in between: then it does not fit, and the next try does.
  const signature = await readSmallFile(source, `${folder}/release.json.sig`);
  if (!isSigned(bytes, signature.bytes, keys)) {
    throw new Error(
      `the release at ${source.address} is not signed by a key that this machine trusts: do not install it; where the key was replaced, ` +
        `write the new one to /etc/elastic/release-keys.pem. ${NOTHING}`,
    );
  }
  const manifest = parseManifest(bytes);
  if (manifest.platform === platform && (version === null || manifest.version === version))
    return { manifest, manifestSha256: createHash("sha256").update(bytes).digest("hex"), coordinator };
  throw new Error(
    `${source.address} offers release ${manifest.version} for ${manifest.platform} in place of this. ${NOTHING}`,
  );
}

interface ObtainOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

const NOTHING = "Nothing was changed";
/** For what else is written meanwhile. */
const SPARE_BYTES = 64 * 1024 ** 2;
const STARTS_WITHIN_MS = 30_000;
/** In a version's folder: the digest of the manifest that it was installed from. */
const RELEASE_FILE = ".release";

/** Does nothing where that very release is there: a version may have been released again, since the copy here is bad. */
export async function obtainRelease(
  layout: Layout,
  source: ReleaseSource,
  { manifest: { version, platform, files }, manifestSha256 }: OfferedRelease,
  options: ObtainOptions,
): Promise<void> {
  const folder = versionFolder(layout, version);
  if (existsSync(programIn(folder)) && releaseOf(folder) === manifestSha256) return;
  const file = files.find(({ name }) => name === `elastic-agent-${version}-${platform}.tar.zst`);
  if (file === undefined) throw new Error(`release ${version} has no archive of the agent. ${NOTHING}`);
  await checkRoom(layout, file);
  const staging = mkdtempSync(join(layout.home, UNFINISHED));
  try {
    const archive = join(staging, "archive");
    await downloadFile(source, `${platform}/${version}/${file.name}`, file, { ...options, to: archive });
    options.onProgress(`unpacks ${file.name}`);
    const tree = join(staging, "tree");
    mkdirSync(tree);
    await unpack(archive, tree, options.signal);
    const unpacked = join(tree, `elastic-agent-${version}`);
    await checkStarts(unpacked, version);
    writeFileSync(join(unpacked, RELEASE_FILE), manifestSha256);
    if (existsSync(folder)) renameSync(folder, join(staging, "replaced"));
    // Data before the name that leads to it.
    await promisify(execFile)("sync", ["-f", unpacked]);
    renameSync(unpacked, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Null where the installer or an earlier version of this program put it there. */
function releaseOf(folder: string): string | null {
  const file = join(folder, RELEASE_FILE);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

async function checkRoom({ home }: Layout, { size, unpackedSize }: ReleaseFile): Promise<void> {
  const { bavail, bsize } = await statfs(home);
  const needed = size + unpackedSize + SPARE_BYTES;
  if (bavail * bsize >= needed) return;
  const mib = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);
  throw new Error(
    `the disk of ${home} has ${mib(bavail * bsize)} MiB left, and the upgrade takes ${mib(needed)} MiB: make room. ${NOTHING}`,
  );
}

/** Node decompresses: small systems have no zstd. */
async function unpack(archive: string, to: string, signal: AbortSignal): Promise<void> {
  const tar = spawn("tar", ["-x", "--no-same-owner", "-C", to], { stdio: ["pipe", "ignore", "pipe"], signal });
  let complaint = "";
  tar.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = text.trim();
  });
  const ended = once(tar, "close") as Promise<[number | null]>;
  const fed = pipeline(createReadStream(archive), createZstdDecompress(), tar.stdin);
  const [written, closed] = await Promise.allSettled([fed, ended]);
  // tar may end before it was sent the zeros after the archive's end; an archive that is cut off makes it fail.
  if (closed.status === "fulfilled" && closed.value[0] === 0) return;
  const why = written.status === "rejected" ? (written.reason as Error).message : complaint;
  throw new Error(`the agent cannot be unpacked (${complaint || why}): check that the disk has room. ${NOTHING}`);
}

async function checkStarts(folder: string, version: string): Promise<void> {
  const limits = { timeout: STARTS_WITHIN_MS, killSignal: "SIGKILL" } as const;
  const { stdout } = await promisify(execFile)(programIn(folder), ["--version"], limits).catch(
    (error: CommandFailure) => {
      const why = whyCommandFailed(error, STARTS_WITHIN_MS);
      throw new Error(`the agent of release ${version} does not start here (${why}): it stays as it is. ${NOTHING}`);
    },
  );
  if (stdout.trim() === version) return;
  throw new Error(`release ${version} contains an agent of version ${stdout.trim()}: package it again. ${NOTHING}`);
}
