/**
 * What machines download when they are installed or upgraded: the authority, the installer, and releases. None of it is secret, and
 * machines verify each by a digest or a signature; so nobody needs a key, and how much is sent at once is limited.
 */
import type { KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { MANIFEST_NAME } from "@elastic/std/program-release/manifest.ts";
import { fingerprintOf, pemOf, SIGNATURE_SUFFIX } from "@elastic/std/program-release/signature.ts";
import { SourceRates } from "../enrollment/source-rates.ts";
import { agentFiles } from "./agent-releases.ts";
import { type DownloadSlot, DownloadSlots } from "./download-slots.ts";
import { INSTALLER, sha256Of } from "./install-offer.ts";
import { type ReleasesPlace, readReleases, type ServedRelease } from "./releases-folder.ts";

export interface InstallsOptions {
  readonly place: ReleasesPlace;
  /** Of this coordinator: agents refuse a release that needs a later one. */
  readonly version: string;
  /** In PEM: the root that a join line names at present. */
  readonly authorityPem: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** An installation takes a dozen requests; machines behind one address are installed at once. */
const RATE = { burst: 200, refillMs: 100, sourcesMax: 10_000 };
/** Of a machine that receives nothing, and of one that receives next to nothing. */
const IDLE_MS = 30_000;
const DOWNLOAD_MS = 30 * 60_000;
const RETRY_AFTER_SECONDS = 15;

/** Of the platform's newest version where none is named. */
const RELEASE_PATH = /^\/install\/([a-z0-9]+-[a-z0-9]+)(?:\/(\d[0-9A-Za-z.-]*))?\/([A-Za-z0-9_.+-]+)$/;
const KEY_PATH = /^\/install\/keys\/([0-9a-f]{64})\.pem$/;

type Found =
  | { readonly kind: "bytes"; readonly bytes: string | Buffer }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "nothing"; readonly why: string };

export function serveInstalls(options: InstallsOptions): RequestListener {
  const rates = new SourceRates(RATE, options.clock);
  const slots = new DownloadSlots(options.clock);
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const source = request.socket.remoteAddress ?? "";
    response.setHeader("x-elastic-version", options.version);
    if (request.method !== "GET") return end(response, 405, "only GET is served here");
    if (!rates.admits(source)) return end(response, 429, "too many requests from this address: try again in a moment");
    const path = (request.url ?? "").replace(/\?.*/, "");
    const found = await find(options, path);
    if (found.kind === "nothing") return end(response, 404, found.why);
    if (found.kind === "bytes") return void response.writeHead(200, typeOf(path)).end(found.bytes);
    const slot = slots.claim(source, () => {
      options.log.info({ source, path }, "ends a slow download, whose place another machine needs");
      response.destroy();
    });
    if (slot === null) return end(response, 503, "many machines download at present: try again in a moment");
    try {
      await send(found.path, response, slot);
      options.log.info({ source, path }, "sent a file of a release");
    } finally {
      slot.release();
    }
  };
  return (request, response) => {
    respond(request, response).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      // The machine went away, or reads no further.
      if (code === "ERR_STREAM_PREMATURE_CLOSE" || response.destroyed) return;
      options.log.warn({ err: error }, "a download failed");
      if (response.headersSent) response.destroy();
      else end(response, 500, "the coordinator cannot read its releases: its log shows why");
    });
  };
}

async function find(options: InstallsOptions, path: string): Promise<Found> {
  if (path === "/install/ca.pem") return { kind: "bytes", bytes: options.authorityPem() };
  if (path === "/install/install.sh") return { kind: "bytes", bytes: INSTALLER };
  const { releases, complaints } = await readReleases(options.place);
  for (const complaint of complaints) options.log.warn({ complaint }, "a release cannot be served");
  const [, digest] = KEY_PATH.exec(path) ?? [];
  if (digest !== undefined) {
    const key = releases.map(({ signedBy }) => signedBy).find((one) => isNamed(one, digest));
    return key === undefined
      ? { kind: "nothing", why: "no release here is signed by this key" }
      : { kind: "bytes", bytes: pemOf(key) };
  }
  const [, platform, version, file = ""] = RELEASE_PATH.exec(path) ?? [];
  if (platform === undefined) return { kind: "nothing", why: "there is nothing here" };
  // Who names no version installs an agent.
  const release = releases
    .filter(({ manifest }) => manifest.platform === platform)
    .find(({ manifest }) => (version === undefined ? agentFiles(manifest).length > 0 : version === manifest.version));
  if (release === undefined) return { kind: "nothing", why: whyNone(options.place, platform, version) };
  return isOf(release, file)
    ? { kind: "file", path: join(release.folder, file) }
    : { kind: "nothing", why: `release ${release.manifest.version} has no file ${file}` };
}

/** By the digest of its file, or by its fingerprint. */
function isNamed(key: KeyObject, digest: string): boolean {
  return sha256Of(pemOf(key)) === digest || fingerprintOf(key) === digest;
}

/** Nothing but what was signed, and the signatures. */
function isOf({ manifest }: ServedRelease, file: string): boolean {
  const name = file.endsWith(SIGNATURE_SUFFIX) ? file.slice(0, -SIGNATURE_SUFFIX.length) : file;
  return name === MANIFEST_NAME || manifest.files.some((one) => one.name === name);
}

function whyNone({ folder }: ReleasesPlace, platform: string, version: string | undefined): string {
  return `this coordinator has no signed release ${version ?? ""} for ${platform} in ${folder}`.replace("  ", " ");
}

async function send(path: string, response: ServerResponse, slot: DownloadSlot): Promise<void> {
  const { size } = await stat(path);
  response.setTimeout(IDLE_MS, () => response.destroy());
  const deadline = setTimeout(() => response.destroy(), DOWNLOAD_MS);
  response.once("close", () => clearTimeout(deadline));
  response.writeHead(200, { ...typeOf(path), "content-length": size });
  const read = createReadStream(path, { end: Math.max(0, size - 1) });
  await pipeline(read, (chunks: AsyncIterable<Buffer>) => counted(chunks, slot), response);
}

async function* counted(chunks: AsyncIterable<Buffer>, slot: DownloadSlot): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    slot.moved(chunk.length);
    yield chunk;
  }
}

function typeOf(path: string): Readonly<Record<string, string>> {
  const isText = /\.(json|pem|sh)$/.test(path);
  return {
    "content-type": isText ? "text/plain; charset=utf-8" : "application/octet-stream",
    "cache-control": "no-store",
  };
}

function end(response: ServerResponse, status: number, why: string): void {
  if (status === 503 || status === 429) response.setHeader("retry-after", RETRY_AFTER_SECONDS);
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${why}\n`);
}
