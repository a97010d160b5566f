/**
 * The install line as a machine without anything runs it, and where somebody between the machine and the coordinators adds to the files
 * that it names. What its digests do not cover is not to be used: neither an authority nor a release key that comes after a line
 * which base64 does not decode.
 */
import { execFile, execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manifestText, type ReleaseFile } from "@elastic/std/program-release/manifest.ts";
import { newReleaseKey, readSigningKey, signatureOf } from "@elastic/std/program-release/signature.ts";
import { alternativeNames, certify, FOR_SERVERS, IS_AUTHORITY, SIGNS_CERTIFICATES } from "@elastic/std/x509/certify.ts";
import { pem } from "@elastic/std/x509/pem.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installLine } from "./install-line.ts";
import { INSTALLER, sha256Of } from "./install-offer.ts";

const HOUR_MS = 3_600_000;
const KEY = newReleaseKey();
const PLATFORM = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
const MANIFEST = manifestOf({ name: "elastic-agent_1.0.0.deb", sha256: "a".repeat(64), size: 1, unpackedSize: 1 });
/** Everything below it is read by those who read PEM, and by no base64. */
const UNDECODED = "#\n";

let folder: string;
let server: Server | null;
let requested: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "line-"));
  server = null;
  requested = [];
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true });
});

interface Authority {
  readonly name: string;
  readonly key: KeyObject;
  readonly file: string;
}

function newAuthority(name: string): Authority {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const extensions = [IS_AUTHORITY, SIGNS_CERTIFICATES];
  const der = certify({ name, publicKey, extensions, ...validity() }, { name, key: privateKey });
  return { name, key: privateKey, file: pem("CERTIFICATE", der) };
}

function validity() {
  return { validFrom: Date.now() - HOUR_MS, validTo: Date.now() + HOUR_MS };
}

/** Whoever responds in place of a coordinator, with a certificate of this authority. Returns its address. */
async function intercept(authority: Authority, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const extensions = [alternativeNames([{ kind: "dns", name: "localhost" }]), FOR_SERVERS];
  const der = certify({ name: "localhost", publicKey, extensions, ...validity() }, authority);
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const listening = createServer({ cert: pem("CERTIFICATE", der), key }, (request, response) => {
    const name = (request.url ?? "").replace(/^.*\//, "").replace(/^[0-9a-f]{64}/, "key");
    requested.push(name);
    response.writeHead(files[name] === undefined ? 404 : 200).end(files[name]);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return `localhost:${(listening.address() as AddressInfo).port}`;
}

/** As root of a file system in which nothing is installed, and without systemd. What it writes is gone afterwards. */
async function paste(line: string): Promise<string> {
  const empty = ["/opt", "/run", "/usr/local/bin"].map((place) => `mount -t tmpfs none ${place}`);
  const settings = ["mount -t tmpfs none /mnt", "cp -r /etc/. /mnt/ 2>/dev/null || true", "mount --bind /mnt /etc"];
  const script = ["set -e", ...empty, ...settings, line.replace("$(command -v sudo) ", "")].join("\n");
  const args = ["--map-root-user", "--mount", "sh", "-c", script];
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", TMPDIR: folder };
  return new Promise((resolve) => execFile("unshare", args, { env }, (_, stdout, stderr) => resolve(stdout + stderr)));
}

function manifestOf(file: ReleaseFile): string {
  const minimum = { minimumCoordinator: "0.1.0", minimumAgent: "0.1.0" };
  return manifestText({ version: "1.0.0", platform: PLATFORM, ...minimum, files: [file] });
}

function lineFor(coordinator: string, authority: Authority, manifest = MANIFEST): string {
  return installLine(
    { coordinator, token: "ejt_id_secret", authorityFileSha256: sha256Of(authority.file), nodeName: "gpu-7" },
    {
      installerSha256: sha256Of(INSTALLER),
      keyFileSha256: sha256Of(KEY.publicPem),
      releases: [{ platform: PLATFORM, version: "1.0.0", manifestSha256: sha256Of(manifest) }],
    },
  );
}

function filesOf(authority: string, key: string, manifest = MANIFEST): Readonly<Record<string, string | Buffer>> {
  return {
    "ca.pem": authority,
    "install.sh": INSTALLER,
    "release.json": manifest,
    "release.json.sig": signatureOf(Buffer.from(manifest), readSigningKey(KEY.privatePem)),
    "key.pem": key,
  };
}

/** Notes what it is run with, and does nothing. */
const AGENT = `#!/bin/sh
case "$1" in
  --version) echo 1.0.0 ;;
  verify-release) cmp -s "$4" "$KEY_FILE" ;;
  enroll) { echo "$*"; cat; } >"$NOTES" ;;
esac
`;

/** As the installer takes it on this machine. */
function packageAgent(): { readonly name: string; readonly bytes: Buffer } {
  const tree = join(folder, "tree");
  const hasDpkg = execFileSync("sh", ["-c", "command -v dpkg-deb || true"]).length > 0;
  const root = join(tree, hasDpkg ? "usr" : "elastic-agent-1.0.0");
  mkdirSync(join(root, "bin"), { recursive: true });
  mkdirSync(join(root, "lib/systemd/system"), { recursive: true });
  writeFileSync(join(root, "lib/systemd/system/elastic-agent.service"), "");
  writeFileSync(join(root, "bin/elastic-agent"), AGENT);
  chmodSync(join(root, "bin/elastic-agent"), 0o755);
  const name = hasDpkg ? "elastic-agent_1.0.0_all.deb" : `elastic-agent-1.0.0-${PLATFORM}.tar.zst`;
  const file = join(folder, name);
  if (hasDpkg) {
    mkdirSync(join(tree, "DEBIAN"));
    const fields = ["Package: elastic-agent", "Version: 1.0.0", "Architecture: all", "Maintainer: a <a@a.example>"];
    writeFileSync(join(tree, "DEBIAN/control"), [...fields, "Description: for a test", ""].join("\n"));
    execFileSync("dpkg-deb", ["--root-owner-group", "--build", tree, file], { stdio: "ignore" });
  } else execFileSync("tar", ["-C", tree, "--zstd", "-cf", file, "elastic-agent-1.0.0"]);
  return { name, bytes: readFileSync(file) };
}

test("installs what the line names, and enrolls by the certificate of the file that downloads were verified with", async () => {
  const named = newAuthority("coordinators");
  const { name, bytes } = packageAgent();
  const manifest = manifestOf({ name, sha256: sha256Of(bytes), size: bytes.length, unpackedSize: 1 });
  const address = await intercept(named, { ...filesOf(named.file, KEY.publicPem, manifest), [name]: bytes });
  const [notes, keyFile] = [join(folder, "notes"), join(folder, "key.pem")];
  writeFileSync(keyFile, KEY.publicPem);
  const line = lineFor(address, named, manifest);
  const output = await paste(
    [
      `export NOTES=${notes} KEY_FILE=${keyFile}`,
      line,
      "stat -c 'lock %a' /opt/elastic/.lock",
      "cat /etc/elastic/release-keys.pem",
    ].join("\n"),
  );
  expect(output).toContain("installed the agent 1.0.0 in /opt/elastic");
  expect(output).toContain("there is no systemd here");
  expect(output).toContain(`lock 600\n${KEY.publicPem}`);
  const der = Buffer.from(named.file.replace(/-----[^-]+-----/g, ""), "base64");
  const certificate = createHash("sha256").update(der).digest("hex");
  const enrolled = `enroll --coordinator ${address} --token-file - --ca-sha256 ${certificate} --node gpu-7`;
  expect(readFileSync(notes, "utf8")).toBe(`${enrolled}\nejt_id_secret\n`);
});

test("downloads nothing from whoever adds an authority to the one that the line names", async () => {
  const [named, added] = [newAuthority("coordinators"), newAuthority("somebody")];
  const address = await intercept(added, filesOf(named.file + UNDECODED + added.file, KEY.publicPem));
  const output = await paste(lineFor(address, named));
  expect(output).toContain("is not of the authority that the line names: do not continue");
  expect(requested).toEqual(["ca.pem"]);
});

test("trusts no key that is added to the one that the line names", async () => {
  const named = newAuthority("coordinators");
  const address = await intercept(named, filesOf(named.file, KEY.publicPem + UNDECODED + newReleaseKey().publicPem));
  const output = await paste(lineFor(address, named));
  expect(output).toContain("has another release key than the line names: make another line. Nothing was installed");
  expect(requested.at(-1)).toBe("key.pem");
});

test("refuses the line of an earlier version, whose digests leave something out", async () => {
  const named = newAuthority("coordinators");
  const address = await intercept(named, filesOf(named.file, KEY.publicPem));
  const line = lineFor(address, named);
  const der = Buffer.from(named.file.replace(/-----[^-]+-----/g, ""), "base64");
  const earlier = line
    .replace(sha256Of(named.file), createHash("sha256").update(der).digest("hex"))
    .replace('echo "$2  a"|sha256sum -c --status', '[ "$(grep -v -- - a|base64 -d|sha256sum)" = "$2  -" ]')
    .replace(" --ca a", "")
    .replace(sha256Of(INSTALLER), "0".repeat(64))
    .replace("--release-key-file", "--release-key");
  expect(await paste(earlier)).toContain("has another installer than the line names: make another line");
  const installer = await paste(line.replace("--release-key-file", "--release-key"));
  expect(installer).toContain("the line was made by an earlier version");
  expect(requested).not.toContain("release.json");
});
