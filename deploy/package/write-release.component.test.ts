/** A release as `npm run package` signs it, verified by what it is read with and by OpenSSL. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseManifest } from "@elastic/std/program-release/manifest.ts";
import { isSigned, readReleaseKeys } from "@elastic/std/program-release/signature.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inRepository } from "../local/repository.ts";
import { readPackagingKeys } from "./release-keys.ts";
import { writeRelease } from "./write-release.ts";

let folder: string;
const at = (name: string): string => join(folder, name);
const makeKey = (path: string) =>
  spawnSync(process.execPath, [inRepository("deploy", "package", "make-release-key.ts"), path], { encoding: "utf8" });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "release-"));
  expect(makeKey(at("release.key")).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("makes a key that its owner alone reads, and never replaces one", () => {
  expect(statSync(at("release.key")).mode & 0o777).toBe(0o600);
  const before = readFileSync(at("release.key"), "utf8");
  expect(makeKey(at("release.key"))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("Nothing was changed"),
  });
  expect(readFileSync(at("release.key"), "utf8")).toBe(before);
});

test("signs the manifest and each file, as OpenSSL verifies it", async () => {
  const { signing, builtIn } = readPackagingKeys(at("release.key"), at("release.key.pub"));
  writeFileSync(at("a.tar.zst"), "contents");
  const files = [{ path: at("a.tar.zst"), unpackedSize: 9 }];
  await writeRelease({ folder, version: "1.2.3", platform: "linux-x64", files, signing, isPartial: false });
  const manifest = parseManifest(readFileSync(at("release.json")));
  expect(manifest).toMatchObject({ version: "1.2.3", files: [{ name: "a.tar.zst", size: 8, unpackedSize: 9 }] });
  const keys = readReleaseKeys(builtIn ?? "");
  for (const name of ["a.tar.zst", "release.json"]) {
    const signature = readFileSync(at(`${name}.sig`));
    expect(isSigned(readFileSync(at(name)), signature, keys)).toBe(true);
    const given = ["-pubin", "-inkey", at("release.key.pub"), "-sigfile", at(`${name}.sig`), "-in", at(name)];
    expect(execFileSync("openssl", ["pkeyutl", "-verify", "-rawin", ...given], { encoding: "utf8" })).toContain(
      "Verified Successfully",
    );
  }
});

test("refuses a signing key that others may read, and one that agents would not accept", () => {
  expect(makeKey(at("other.key")).status).toBe(0);
  expect(() => readPackagingKeys(at("release.key"), at("other.key.pub"))).toThrow(/agents would refuse/);
  writeFileSync(at("open.key"), readFileSync(at("release.key")), { mode: 0o644 });
  expect(() => readPackagingKeys(at("open.key"), undefined)).toThrow(/others may read it: chmod 600/);
  expect(() => readPackagingKeys(at("release.key.pub"), undefined)).toThrow(/is no Ed25519 private key/);
});

test("leaves a signed release as it is when further packages are made, and drops signatures of other bytes", async () => {
  const { signing } = readPackagingKeys(at("release.key"), undefined);
  const place = { folder: at("dist"), version: "1.2.3", platform: "linux-x64" };
  mkdirSync(place.folder);
  const file = (name: string, text: string) => {
    writeFileSync(join(place.folder, name), text);
    return [{ path: join(place.folder, name), unpackedSize: 9 }];
  };
  const read = (name: string): string => readFileSync(join(place.folder, name), "utf8");
  await writeRelease({ ...place, files: file("elastic-agent.deb", "agent"), signing, isPartial: false });
  const signed = [read("release.json"), read("release.json.sig"), read("elastic-agent.deb.sig")];

  const added = await writeRelease({ ...place, files: file("client.tgz", "client"), signing: null, isPartial: true });
  expect([read("release.json"), read("release.json.sig"), read("elastic-agent.deb.sig")]).toEqual(signed);
  expect(added.files.map(({ name }) => name)).toEqual(["elastic-agent.deb", "client.tgz"]);
  expect(added.text).toMatch(
    /is signed and stays as it is and does not list client\.tgz: give --sign-key to add them$/,
  );
  await writeRelease({ ...place, files: file("client.tgz", "client"), signing, isPartial: true });
  expect(parseManifest(Buffer.from(read("release.json"))).files.map(({ name }) => name)).toEqual([
    "elastic-agent.deb",
    "client.tgz",
  ]);

  const changed = await writeRelease({ ...place, files: file("client.tgz", "new"), signing: null, isPartial: true });
  expect(changed.text).toMatch(/is not signed: its signature was of other files and was removed; sign it again$/);
  expect(readdirSync(place.folder).sort()).toEqual([
    "client.tgz",
    "elastic-agent.deb",
    "elastic-agent.deb.sig",
    "release.json",
  ]);
  expect(parseManifest(Buffer.from(read("release.json"))).files).toHaveLength(2);
});
