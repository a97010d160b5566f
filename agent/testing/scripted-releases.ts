/** A coordinator's listener for installations that a test plays: its own authority, and files by their path below /install. */
import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { manifestText, type ReleaseManifest } from "@elastic/std/program-release/manifest.ts";
import { type ReleaseKeyPair, readSigningKey, signatureOf } from "@elastic/std/program-release/signature.ts";
import { alternativeNames, certify, IS_AUTHORITY, type Issuer, SIGNS_CERTIFICATES } from "@elastic/std/x509/certify.ts";
import { pem } from "@elastic/std/x509/pem.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const HOUR_MS = 3_600_000;

export interface ScriptedReleases {
  readonly address: string;
  readonly caPem: string;
  /** By the path below /install. */
  readonly files: Map<string, Buffer>;
  /** Of what was requested. */
  readonly paths: string[];
  /** Serves a release of an agent that is a shell script; returns its archive's path. */
  publish(version: string, key: ReleaseKeyPair, given?: PublishOptions): string;
  stop(): void;
}

interface PublishOptions {
  /** What the script prints as its version. */
  readonly prints?: string;
  /** In the script, so that its bytes are others. */
  readonly comment?: string;
  readonly manifest?: Partial<ReleaseManifest>;
}

export async function scriptReleases(): Promise<ScriptedReleases> {
  const authority = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const own = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const issuer: Issuer = { name: "test nodes", key: authority.privateKey };
  const validity = { validFrom: Date.now() - HOUR_MS, validTo: Date.now() + HOUR_MS };
  const root = certify(
    { name: issuer.name, publicKey: authority.publicKey, ...validity, extensions: [IS_AUTHORITY, SIGNS_CERTIFICATES] },
    issuer,
  );
  const loopback = [alternativeNames([{ kind: "ip", bytes: Buffer.from([127, 0, 0, 1]) }])];
  const leaf = certify({ name: "coordinator", publicKey: own.publicKey, ...validity, extensions: loopback }, issuer);
  const files = new Map<string, Buffer>();
  const paths: string[] = [];
  const server = createServer(
    {
      cert: pem("CERTIFICATE", leaf) + pem("CERTIFICATE", root),
      key: own.privateKey.export({ type: "pkcs8", format: "pem" }),
    },
    ({ url = "" }, response) => {
      const path = url.replace("/install/", "");
      paths.push(path);
      const bytes = files.get(path);
      response.setHeader("x-elastic-version", "1.0.0");
      if (bytes === undefined) response.writeHead(404).end("this coordinator has no such release");
      else response.end(bytes);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    caPem: pem("CERTIFICATE", root),
    files,
    paths,
    publish(version, key, { prints = version, comment = "", manifest = {} } = {}) {
      const platform = `linux-${process.arch}`;
      const name = `elastic-agent-${version}-${platform}.tar.zst`;
      const archive = archiveOf(version, prints, comment);
      const sha256 = createHash("sha256").update(archive).digest("hex");
      const text = manifestText({
        version,
        platform,
        minimumAgent: "0.1.0",
        minimumCoordinator: "0.1.0",
        files: [{ name, sha256, size: archive.length, unpackedSize: 8192 }],
        ...manifest,
      });
      const signature = signatureOf(Buffer.from(text), readSigningKey(key.privatePem));
      for (const folder of [platform, `${platform}/${version}`]) {
        files.set(`${folder}/release.json`, Buffer.from(text)).set(`${folder}/release.json.sig`, signature);
      }
      files.set(`${platform}/${version}/${name}`, archive);
      return `${platform}/${version}/${name}`;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function archiveOf(version: string, prints: string, comment: string): Buffer {
  const folder = temporaryFolder();
  writeAgent(join(folder, `elastic-agent-${version}`), prints, comment);
  return zstdCompressSync(execFileSync("tar", ["-c", "-C", folder, `elastic-agent-${version}`]));
}

/** A program that knows its version and nothing else. */
export function writeAgent(folder: string, prints: string, comment = ""): void {
  mkdirSync(join(folder, "bin"), { recursive: true });
  const program = join(folder, "bin", "elastic-agent");
  writeFileSync(program, `#!/bin/sh\n# ${comment}\necho ${prints}\n`);
  chmodSync(program, 0o755);
}
