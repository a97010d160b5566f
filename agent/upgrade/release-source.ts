/** The coordinator's listener from which releases are downloaded, over TLS of the coordinators' authority. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP } from "node:net";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MANIFEST_BYTES_MAX, type ReleaseFile } from "@elastic/std/program-release/manifest.ts";
import { isVersion } from "@elastic/std/program-release/version-order.ts";

/** Without a byte. */
const IDLE_MS = 30_000;

export interface ReleaseSource {
  /** `host:port`. */
  readonly address: string;
  readonly caPem: string;
}

export interface SmallFile {
  readonly bytes: Buffer;
  /** Of the coordinator that sent it; null where it does not say. */
  readonly coordinator: string | null;
}

/** `path` is below /install. Rejects with a sentence for the operator. */
export async function readSmallFile(source: ReleaseSource, path: string): Promise<SmallFile> {
  const response = await get(source, path);
  const version = response.headers["x-elastic-version"];
  const bytes = await readAll(response, source, path);
  return { bytes, coordinator: typeof version === "string" && isVersion(version) ? version : null };
}

/** Into a new file, complete and with the digest that its release lists; else it rejects, and the file is for nobody. */
export async function downloadFile(
  source: ReleaseSource,
  path: string,
  { name, sha256, size }: ReleaseFile,
  options: { readonly to: string; readonly signal: AbortSignal; readonly onProgress: (line: string) => void },
): Promise<void> {
  const response = await get(source, path);
  const hash = createHash("sha256");
  let received = 0;
  let reported = -1;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      hash.update(chunk);
      const tenth = Math.floor((10 * received) / Math.max(1, size));
      if (tenth !== reported) options.onProgress(`downloads ${name}: ${10 * tenth} %`);
      reported = tenth;
      done(received > size ? new Error(`it is longer than the ${size} bytes that its release lists`) : null, chunk);
    },
  });
  try {
    await pipeline(response, check, createWriteStream(options.to, { flags: "wx", flush: true }), {
      signal: options.signal,
    });
  } catch (error) {
    throw new Error(`${name} was not received: ${(error as Error).message}; ${AGAIN}`);
  }
  if (received !== size) throw new Error(`${name} was not received completely, ${received} of ${size} bytes; ${AGAIN}`);
  if (hash.digest("hex") === sha256) return;
  throw new Error(
    `${name} is not what its release lists: it was tampered with or damaged on the coordinator; copy the release there again. ${NOTHING}`,
  );
}

const NOTHING = "Nothing was changed";
const AGAIN = `repeat the command, and check the coordinator's disk and the network if that does not help. ${NOTHING}`;

function get({ address, caPem }: ReleaseSource, path: string): Promise<IncomingMessage> {
  const colon = address.lastIndexOf(":");
  const host = address.slice(0, colon).replace(/^\[|\]$/g, "");
  const name = isIP(host) === 0 ? { servername: host } : {};
  const to = {
    host,
    port: Number(address.slice(colon + 1)),
    path: `/install/${path}`,
    ca: caPem,
    agent: false,
    ...name,
  };
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      reject(
        new Error(
          `no release can be read from ${address}: ${why}; check the address (--coordinator) and firewalls. ${NOTHING}`,
        ),
      );
    };
    const sent = request(to, (response) => {
      if (response.statusCode === 200) return resolve(response);
      readAll(response, { address, caPem }, path)
        .then((bytes) => fail(bytes.toString("utf8").trim() || `it responds with ${response.statusCode}`))
        .catch((error: Error) => fail(error.message));
    });
    sent.setTimeout(IDLE_MS, () => sent.destroy(new Error("it timed out")));
    sent.once("error", (error) => fail(error.message));
    sent.end();
  });
}

async function readAll(response: IncomingMessage, { address }: ReleaseSource, path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MANIFEST_BYTES_MAX) throw new Error(`${path} of ${address} is larger than any release's. ${NOTHING}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
