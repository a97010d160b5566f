/** What machines download from the listener for enrollment, over the same TLS as the calls that enroll them. */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect as connectPlain } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { manifestText } from "@elastic/std/program-release/manifest.ts";
import {
  fingerprintOf,
  newReleaseKey,
  type ReleaseKeyPair,
  readReleaseKeys,
  readSigningKey,
  signatureOf,
} from "@elastic/std/program-release/signature.ts";
import { Server } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readAuthorityDigests } from "../enrollment/authority.ts";
import { ownHosts } from "../enrollment/own-hosts.ts";
import { installOffer } from "../program-releases/install-offer.ts";
import { listenForEnrollment } from "./enroll-listener.ts";
import { ownTls } from "./own-tls.ts";
import { EnrollmentFixture } from "./testing/enrollment-fixture.ts";

const KEY = newReleaseKey();
let folder: string;
let fixture: EnrollmentFixture;

function publish(version: string, platform = "linux-x64", key: ReleaseKeyPair = KEY, program = "elastic-agent"): void {
  const at = join(folder, "releases", `${version}-${platform}`);
  mkdirSync(at, { recursive: true });
  const file = { name: `${program}-${version}.tar.zst`, sha256: "a".repeat(64), size: 8, unpackedSize: 9 };
  const minimum = { minimumCoordinator: "0.1.0", minimumAgent: "0.1.0" };
  const manifest = manifestText({ version, platform, ...minimum, files: [file] });
  writeFileSync(join(at, "release.json"), manifest);
  writeFileSync(join(at, "release.json.sig"), signatureOf(Buffer.from(manifest), readSigningKey(key.privatePem)));
  writeFileSync(join(at, file.name), "contents");
  writeFileSync(join(at, "secret.txt"), "not listed");
}

interface Got {
  readonly status: number;
  readonly text: string;
  readonly version: string;
}

function get(path: string, method = "GET"): Promise<Got> {
  const [host = "", port] = fixture.enrollAddress.split(":");
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, method, ca: fixture.caPem(), agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString("utf8"),
          version: String(response.headers["x-elastic-version"]),
        }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "installs-"));
  writeFileSync(join(folder, "keys.pem"), KEY.publicPem);
  for (const version of ["1.9.0", "1.10.0"]) publish(version);
  publish("1.8.0", "linux-arm64");
  publish("2.0.0", "linux-x64", newReleaseKey());
  fixture = await EnrollmentFixture.open({ folder: join(folder, "releases"), keysFile: join(folder, "keys.pem") });
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true });
});

test("serves the newest release of a platform, each version by its name, and the key that signed it", async () => {
  const newest = await get("/install/linux-x64/release.json");
  expect([newest.status, JSON.parse(newest.text).version, newest.version]).toEqual([200, "1.10.0", "1.0.0"]);
  expect((await get("/install/linux-x64/release.json.sig")).status).toBe(200);
  expect(JSON.parse((await get("/install/linux-x64/1.9.0/release.json")).text).version).toBe("1.9.0");
  expect((await get("/install/linux-x64/1.9.0/elastic-agent-1.9.0.tar.zst")).text).toBe("contents");
  const [key] = readReleaseKeys(KEY.publicPem).map(fingerprintOf);
  expect((await get(`/install/keys/${key}.pem`)).text).toBe(KEY.publicPem);
});

test("serves the newest release that has an agent to who names no version", async () => {
  publish("1.11.0", "linux-x64", KEY, "elastic-coordinator");
  onTestFinished(() => rmSync(join(folder, "releases", "1.11.0-linux-x64"), { recursive: true }));
  expect(JSON.parse((await get("/install/linux-x64/release.json")).text).version).toBe("1.10.0");
  expect(JSON.parse((await get("/install/linux-x64/1.11.0/release.json")).text).version).toBe("1.11.0");
});

test("shows the authority and the installer with the digests that lines name", async () => {
  const { text } = await get("/install/ca.pem");
  const der = Buffer.from(text.replace(/-----[^-]+-----/g, ""), "base64");
  const [certificate, file] = [der, text].map((bytes) => createHash("sha256").update(bytes).digest("hex"));
  expect(await readAuthorityDigests(fixture.coordinator.kv)).toEqual({ certificate, file });
  const offer = await installOffer({ folder: join(folder, "releases"), keysFile: join(folder, "keys.pem") });
  const key = await get(`/install/keys/${offer?.keyFileSha256}.pem`);
  expect(createHash("sha256").update(key.text).digest("hex")).toBe(offer?.keyFileSha256);
  const installer = await get("/install/install.sh");
  expect(createHash("sha256").update(installer.text).digest("hex")).toBe(offer?.installerSha256);
  expect(offer?.releases.map(({ platform, version }) => `${platform} ${version}`)).toEqual([
    "linux-x64 1.10.0",
    "linux-arm64 1.8.0",
  ]);
  const manifest = readFileSync(join(folder, "releases", "1.10.0-linux-x64", "release.json"));
  expect(offer?.releases[0]?.manifestSha256).toBe(createHash("sha256").update(manifest).digest("hex"));
});

test("offers only what a machine can install, and complains about the rest", async () => {
  const place = { folder: join(folder, "offered"), keysFile: join(folder, "keys.pem") };
  const others: string[] = [];
  expect(await installOffer(place, (one) => others.push(one))).toBeNull();
  expect(others).toEqual([]);
  cpSync(join(folder, "releases"), place.folder, { recursive: true });
  truncateSync(join(place.folder, "1.10.0-linux-x64", "elastic-agent-1.10.0.tar.zst"), 3);
  rmSync(join(place.folder, "1.8.0-linux-arm64", "elastic-agent-1.8.0.tar.zst"));
  const offer = await installOffer(place, (one) => others.push(one));
  expect(offer?.releases.map(({ version }) => version)).toEqual(["1.9.0"]);
  expect(others.map((one) => one.replaceAll(`${folder}/offered/`, ""))).toEqual([
    `2.0.0-linux-x64 is not served: no key in ${place.keysFile} signed its release.json`,
    "1.10.0-linux-x64 is not offered: elastic-agent-1.10.0.tar.zst has 3 of 8 bytes: copy it there again",
    "1.8.0-linux-arm64 is not offered: elastic-agent-1.8.0.tar.zst, which release 1.8.0 lists, is not there: copy it there",
  ]);
});

test("serves nothing that no trusted key signed, nothing that a release does not list, and no other path", async () => {
  expect(await get("/install/linux-x64/2.0.0/release.json")).toMatchObject({
    status: 404,
    text: expect.stringContaining("has no signed release 2.0.0 for linux-x64"),
  });
  for (const path of [
    "/install/linux-x64/1.9.0/secret.txt",
    "/install/linux-x64/1.9.0/../1.10.0/release.json",
    "/install/linux-x64/1.9.0/%2e%2e%2frelease.json",
    "/install/linux-x64/../../keys.pem",
    "/install/linux-riscv64/release.json",
    `/install/keys/${"0".repeat(64)}.pem`,
    "/",
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
  expect((await get("/install/ca.pem", "POST")).status).toBe(405);
});

test("ends a connection whose request does not come in time", async () => {
  const listener = await listenForEnrollment({
    listen: "127.0.0.1:0",
    tls: ownTls(fixture.authority, ownHosts([])),
    grpc: new Server(),
    http: (_, response) => response.end(),
    requestMs: 100,
  });
  const [host, port] = listener.address.split(":");
  const socket = connect({ host, port: Number(port), ca: fixture.caPem() }, () => socket.write("GET / HTTP/1.1\r\n"));
  // Whether it is reset or closed.
  socket.resume().on("error", () => undefined);
  await new Promise((resolve) => socket.once("close", resolve));
  await listener.stop();
});

test("has room for other addresses while one has all the connections that it may have", async () => {
  const listener = await listenForEnrollment({
    listen: "127.0.0.1:0",
    tls: ownTls(fixture.authority, ownHosts([])),
    grpc: new Server(),
    http: (_, response) => response.end(),
    ofSourceMax: 2,
  });
  const port = Number(listener.address.split(":")[1]);
  /** Whether the handshake completes. */
  const open = (localAddress: string) =>
    new Promise<{ readonly isIn: boolean; readonly close: () => Promise<unknown> }>((resolve) => {
      const plain = connectPlain({ host: "127.0.0.1", port, localAddress });
      const socket = connect({ socket: plain, servername: "localhost", ca: fixture.caPem() });
      const closed = new Promise((gone) => socket.once("close", gone));
      const close = () => {
        socket.destroy();
        return closed;
      };
      socket.resume().on("error", () => undefined);
      socket.once("secureConnect", () => resolve({ isIn: true, close }));
      socket.once("close", () => resolve({ isIn: false, close }));
    });
  const first = await open("127.0.0.1");
  const opened = [await open("127.0.0.1"), await open("127.0.0.1"), await open("127.0.0.2")];
  expect([first, ...opened].map(({ isIn }) => isIn)).toEqual([true, true, false, true]);
  await first.close();
  await expect.poll(async () => (await open("127.0.0.1")).isIn).toBe(true);
  await listener.stop();
});

test("enrolls machines on the same port while others download", async () => {
  const [enrolled, download] = await Promise.all([
    fixture.token("gpu-7").then((token) => fixture.enroll({ token })),
    get("/install/install.sh"),
  ]);
  expect([enrolled.nodeId, download.status]).toEqual(["gpu-7", 200]);
});
