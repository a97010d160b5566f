/** Machines that download next to nothing keep no other from being installed. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, get, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { manifestText } from "@elastic/std/program-release/manifest.ts";
import { newReleaseKey, readSigningKey, signatureOf } from "@elastic/std/program-release/signature.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DOWNLOADS_MAX, DOWNLOADS_OF_SOURCE_MAX } from "./download-slots.ts";
import { serveInstalls } from "./serve-installs.ts";

const BYTES = 64_000_000;
const PATH = "/install/linux-x64/1.0.0/agent.tar.zst";

let folder: string;
let server: Server;
let port: number;
let nowMs: number;
let open: Socket[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "slow-"));
  nowMs = 0;
  open = [];
  const release = join(folder, "releases", "1.0.0");
  mkdirSync(release, { recursive: true });
  const key = newReleaseKey();
  const files = [{ name: "agent.tar.zst", sha256: "0".repeat(64), size: BYTES, unpackedSize: 1 }];
  const minimum = { minimumCoordinator: "0.1.0", minimumAgent: "0.1.0" };
  const manifest = Buffer.from(manifestText({ version: "1.0.0", platform: "linux-x64", ...minimum, files }));
  writeFileSync(join(release, "release.json"), manifest);
  writeFileSync(join(release, "release.json.sig"), signatureOf(manifest, readSigningKey(key.privatePem)));
  writeFileSync(join(release, "agent.tar.zst"), "");
  truncateSync(join(release, "agent.tar.zst"), BYTES);
  writeFileSync(join(folder, "keys.pem"), key.publicPem);
  server = createServer(
    serveInstalls({
      place: { folder: join(folder, "releases"), keysFile: join(folder, "keys.pem") },
      version: "1.0.0",
      authorityPem: () => "",
      clock: { now: () => nowMs, monotonicMs: () => nowMs },
      log: createLog({ name: "test", level: "silent" }),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  for (const socket of open) socket.destroy();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

/** Reads the beginning and then no further. */
function startSlowly(localAddress: string): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  open.push(socket);
  socket.on("error", () => undefined);
  socket.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return new Promise((resolve) =>
    socket.once("data", () => {
      socket.pause();
      resolve();
    }),
  );
}

function statusFor(localAddress: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = get({ port, host: "127.0.0.1", localAddress, path: PATH, agent: false }, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.once("error", reject);
  });
}

test("serves another address while one has its share, and takes the places of downloads that have stopped", async () => {
  for (let count = 0; count < DOWNLOADS_OF_SOURCE_MAX; count++) await startSlowly("127.0.0.1");
  expect(await statusFor("127.0.0.1")).toBe(503);
  expect(await statusFor("127.0.0.2")).toBe(200);
  for (let count = DOWNLOADS_OF_SOURCE_MAX; count < DOWNLOADS_MAX; count++) await startSlowly("127.0.0.3");
  expect(await statusFor("127.0.0.2")).toBe(503);
  nowMs = 60_000;
  expect(await statusFor("127.0.0.2")).toBe(200);
  expect(await statusFor("127.0.0.1")).toBe(200);
});
