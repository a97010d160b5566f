/** `elastic-agent enroll` as an operator pastes it, and what it says when something is wrong. */
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readSigningRequest } from "@elastic/std/x509/signing-request.ts";
import { status } from "@grpc/grpc-js";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { ConfigError, loadConfig } from "../config/config.ts";
import { type ScriptedEnrollment, scriptEnrollment } from "../testing/scripted-enrollment.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { type EnrollOptions, enroll } from "./enroll.ts";

afterAll(removeTemporaryFolders);

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const TOKEN = "ejt_secret";
const HOUR_MS = 3_600_000;

interface Machine {
  readonly stateDir: string;
  readonly coordinator: ScriptedEnrollment;
  /** Pastes the line; returns what is printed, or what is said instead. */
  paste(given?: Partial<EnrollOptions>): Promise<string>;
}

async function machine(coordinator?: ScriptedEnrollment): Promise<Machine> {
  const on = coordinator ?? (await scriptEnrollment());
  onTestFinished(() => on.stop());
  const stateDir = join(temporaryFolder(), "state");
  const paste = (given: Partial<EnrollOptions> = {}): Promise<string> => {
    const line = { coordinator: on.address, token: TOKEN, caSha256: on.caSha256, node: "gpu-1", ...given };
    return enroll({ ELASTIC_STATE_DIR: stateDir }, line).catch((error: Error) => error.message);
  };
  return { stateDir, coordinator: on, paste };
}

test("makes the machine a node by a pasted line; its key is readable by root alone, and was not sent", async () => {
  const { stateDir, coordinator, paste } = await machine();
  const said = await paste();
  expect(said).toContain("this machine is node gpu-1; its certificate lasts until ");
  expect(said).toContain("start the agent: elastic-agent run");
  const config = loadConfig({ ELASTIC_STATE_DIR: stateDir });
  expect(config).toMatchObject({ isEnrolled: true, coordinators: ["127.0.0.1:8443"] });
  expect(statSync(config.tls.keyFile).mode & 0o777).toBe(0o600);
  expect(statSync(join(stateDir, "identity")).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(stateDir, "identity")).sort()).toEqual(["ca.pem", "coordinators.json", "node.pem"]);
  expect(coordinator.requested).toMatchObject([{ token: TOKEN, nodeName: "gpu-1" }]);
  expect(coordinator.requested[0]?.csrDer.length).toBeLessThan(300);
});

test("without --node the machine's host name is its name, or the name that it has already", async () => {
  const { coordinator, paste } = await machine();
  const { address, caSha256 } = coordinator;
  const env = { ELASTIC_STATE_DIR: join(temporaryFolder(), "state") };
  await enroll(env, { coordinator: address, token: TOKEN, caSha256 });
  expect(coordinator.requested.at(-1)?.nodeName).toBe(hostname());
  await paste({ node: "gpu-9" });
  expect(await paste({ node: "gpu-9" })).toContain("it was that node before");
});

test("reads the token from a file, where no other user sees it, and takes one token alone", async () => {
  const { stateDir, coordinator, paste } = await machine();
  const { address, caSha256 } = coordinator;
  const tokenFile = join(temporaryFolder(), "token");
  writeFileSync(tokenFile, `${TOKEN}\n`);
  const env = { ELASTIC_STATE_DIR: stateDir };
  await enroll(env, { coordinator: address, tokenFile, caSha256, node: "gpu-1" });
  expect(coordinator.requested.at(-1)?.token).toBe(TOKEN);
  writeFileSync(tokenFile, "\n");
  const wrong = { coordinator: address, caSha256 };
  await expect(enroll(env, { ...wrong, tokenFile })).rejects.toThrow(/is empty: it holds the token of the line/);
  await expect(enroll(env, wrong)).rejects.toThrow("give one of --token and --token-file");
  expect(await paste({ tokenFile })).toBe("give one of --token and --token-file");
});

test("says that an enrolled machine needs a restart, and makes it no other node by mistake", async () => {
  const { stateDir, coordinator, paste } = await machine();
  await paste();
  expect(await paste({ token: "ejt_another" })).toMatch(
    /it was that node before, .*: systemctl restart elastic-agent$/,
  );
  const said = await paste({ node: "gpu-2" });
  expect(said).toMatch(/^this machine is node gpu-1 already, and not gpu-2: .* create a token with --node gpu-1; /);
  expect(said).toContain(`remove ${join(stateDir, "identity")}. The token was not sent`);
  expect(coordinator.requested.map(({ nodeName }) => nodeName)).toEqual(["gpu-1", "gpu-1"]);
});

test("a coordinator that cannot be reached, and one of another authority, are sent nothing", async () => {
  const { stateDir, coordinator, paste } = await machine();
  const other = await scriptEnrollment();
  onTestFinished(() => other.stop());
  const wrong = await paste({ caSha256: other.caSha256 });
  expect(wrong).toMatch(
    /has no certificate of the authority in --ca-sha256: do not continue; .* The token was not sent$/,
  );
  coordinator.stop();
  expect(await paste()).toMatch(
    /^no coordinator responds at 127\.0\.0\.1:\d+ \(connect ECONNREFUSED .*\): check --coordinator, .* paste the line again\. The token was not sent$/,
  );
  expect(coordinator.requested).toEqual([]);
  expect(existsSync(join(stateDir, "identity", "node.pem"))).toBe(false);
});

test("as a program it prints nothing but its result, also where the coordinator is an address and no name", async () => {
  const { stateDir, coordinator } = await machine();
  // As coordinators print it.
  const line = `echo ${TOKEN} | elastic-agent enroll --coordinator ${coordinator.address} --token-file - --ca-sha256 ${coordinator.caSha256}`;
  const pasted = line.replace("elastic-agent", `${process.execPath} ${MAIN}`);
  const env = { PATH: process.env.PATH ?? "", ELASTIC_STATE_DIR: stateDir, ELASTIC_ACCEL_LIBRARY: "none" };
  const { stdout, stderr } = await promisify(execFile)("/bin/sh", ["-c", pasted], { env });
  expect(stdout).toMatch(/^this machine is node /);
  expect(stderr).toBe("");
  expect(coordinator.requested.map(({ token }) => token)).toEqual([TOKEN]);
});

test("a line that was put wrongly ends with 2, as those of elastic do, and so does a setting", {
  timeout: 120_000,
}, async () => {
  const run = (args: readonly string[]) =>
    promisify(execFile)(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH ?? "" } });
  const pasted = ["enroll", "--coordinator", "control.example", "--token", TOKEN, "--ca-sha256", "9f86"];
  const wrong = [["enroll", "--token", TOKEN], ["nothing"], pasted].map((args) =>
    expect(run(args)).rejects.toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/./) }),
  );
  await Promise.all(wrong);
});

test("explains an address of another listener of the service, without OpenSSL's words", async () => {
  const { coordinator, paste } = await machine();
  const http = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void http.close());
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  expect(await paste({ coordinator: `127.0.0.1:${port}` })).toMatch(
    /^no coordinator responds at .* \(it does not speak TLS\): check/,
  );
  const details =
    "No connection established. Last error: error:0A00045C:SSL routines::tlsv13 alert certificate required";
  coordinator.script.refusal = { code: status.UNAVAILABLE, details };
  expect(await paste()).toMatch(/ is where agents connect, not where machines are enrolled: check --coordinator, /);
});

test("sends the same key when the line is pasted again after a lost response", async () => {
  const { coordinator, paste } = await machine();
  coordinator.script.refusal = { code: status.UNAVAILABLE, details: "Connection dropped" };
  expect(await paste()).toMatch(/did not respond \(.*\): paste the line again, the token is still valid$/);
  coordinator.script.refusal = null;
  expect(await paste()).toContain("this machine is node gpu-1");
  const keys = coordinator.requested.map(({ csrDer }) => readSigningRequest(csrDer).publicKeyDer);
  expect(keys[1]).toEqual(keys[0]);
});

test("keys of tokens that came to nothing are gone once the machine is enrolled", async () => {
  const { stateDir, coordinator, paste } = await machine();
  const files = () => readdirSync(join(stateDir, "identity")).sort();
  coordinator.script.refusal = { code: status.PERMISSION_DENIED, details: "the token has ended; make another" };
  await paste({ token: "ejt_ended" });
  coordinator.script.refusal = { code: status.UNAVAILABLE, details: "Connection dropped" };
  await paste({ token: "ejt_unheard" });
  expect(files()).toEqual([expect.stringMatching(/^pending-/), expect.stringMatching(/^pending-/)]);
  writeFileSync(join(stateDir, "identity", "pending-0123456789abcdef.key.next"), "half");
  coordinator.script.refusal = null;
  await paste();
  expect(files()).toEqual(["ca.pem", "coordinators.json", "node.pem"]);
});

test("recognizes the line by which the machine became this node, and no other used token", async () => {
  const { stateDir, coordinator, paste } = await machine();
  await paste();
  const before = readFileSync(join(stateDir, "identity", "node.pem"), "utf8");
  const details = "the token was used already, with another key; make another";
  coordinator.script.refusal = { code: status.PERMISSION_DENIED, details };
  expect(await paste()).toMatch(/^this machine is node gpu-1 already, by this very line: nothing was changed\./);
  expect(readFileSync(join(stateDir, "identity", "node.pem"), "utf8")).toBe(before);
  expect(readdirSync(join(stateDir, "identity")).sort()).toEqual(["ca.pem", "coordinators.json", "node.pem"]);
  expect(await paste({ token: "ejt_of_another" })).toBe(`the coordinator refused: ${details}`);
  coordinator.script.refusal = { code: status.PERMISSION_DENIED, details: "node gpu-1 was evicted" };
  expect(await paste()).toBe("the coordinator refused: node gpu-1 was evicted");
});

test("prints the coordinator's reason for a rejection, and leaves no identity", async () => {
  const { stateDir, coordinator, paste } = await machine();
  coordinator.script.refusal = { code: status.PERMISSION_DENIED, details: "the token has ended; make another" };
  expect(await paste()).toBe("the coordinator refused: the token has ended; make another");
  expect(existsSync(join(stateDir, "identity", "node.pem"))).toBe(false);
});

test("a certificate of another node, or for another key, is not taken", async () => {
  const { stateDir, coordinator, paste } = await machine();
  coordinator.script.certifiedName = "gpu-2";
  expect(await paste()).toBe("the coordinator gave a certificate of node gpu-2, not of gpu-1");
  coordinator.script.certifiedName = null;
  coordinator.script.certifiedKey = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey;
  expect(await paste()).toBe("the coordinator gave a certificate that is not for this machine's key");
  expect(existsSync(join(stateDir, "identity", "node.pem"))).toBe(false);
});

test("says how to set a clock that is an hour off, on either side of the certificate's validity", async () => {
  const { coordinator, paste } = await machine();
  coordinator.script.clockAheadMs = HOUR_MS;
  expect(await paste()).toContain("warning: this machine's clock is 60 min behind the coordinators': set the clock");
  const ahead = await machine(await scriptEnrollment({ from: Date.now() + HOUR_MS, to: Date.now() + 2 * HOUR_MS }));
  expect(await ahead.paste()).toMatch(/^the coordinator's certificate begins at .*: set the clock \(timedatectl/);
  expect(ahead.coordinator.requested).toEqual([]);
});

test.each([
  { given: { coordinator: "control.example" }, said: "--coordinator control.example is not host:port" },
  { given: { caSha256: "9f86" }, said: "--ca-sha256 is not 64 hexadecimal digits" },
])("rejects a line that was not pasted completely: $said", async ({ given, said }) => {
  const line = { coordinator: "127.0.0.1:1", token: TOKEN, caSha256: "0".repeat(64), ...given };
  const refused = enroll({ ELASTIC_STATE_DIR: temporaryFolder() }, line);
  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.toThrow(said);
});
