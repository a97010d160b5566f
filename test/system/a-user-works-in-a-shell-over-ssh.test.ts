import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import type { TestShell } from "../cluster/shell.ts";
import { startShellCluster } from "../cluster/shell-cluster.ts";
import { runSsh, type SshPlace, startSsh, target } from "../cluster/ssh-client.ts";
import { startInTerminal } from "../cluster/ssh-in-terminal.ts";

const noEngine = await whyNoEngineHere();
const WITHIN = { timeout: 90_000 };
const COPIED_BYTES = 64 * 1024 * 1024;

const parts = new AsyncDisposableStack();
let cluster: Cluster;
let shell: TestShell;
let place: SshPlace;

beforeAll(async () => {
  if (noEngine !== null) return;
  ({ cluster, shell, place } = parts.use(await startShellCluster()));
}, 180_000);
afterAll(() => parts.disposeAsync());

const ssh = (command: string, input = "", given: Partial<SshPlace> = {}) =>
  runSsh("ssh", { ...place, ...given }, [target(place), command], input);

describe.skipIf(noEngine !== null)("with the OpenSSH client", { timeout: 240_000 }, () => {
  test("commands have their input, output, errors and exit code apart", async () => {
    expect(await ssh("cat; echo err >&2; exit 7", "in")).toEqual({ code: 7, out: "in", err: "err\n" });
    expect(await ssh("echo $LANG $EDITOR; pwd")).toMatchObject({ code: 0, out: "C.UTF-8\n/home/shell\n" });
    expect((await ssh("no-such-program")).code).toBe(127);
  });

  test("a terminal is one, and is as large as the client's", async () => {
    const { code, out } = await runSsh("ssh", place, ["-tt", target(place), "tty; stty size; exit 5"]);
    expect([code, out]).toEqual([5, expect.stringMatching(/^\/dev\/pts\/\d+\r\n\d+ \d+\r\n$/)]);
  });

  test("a terminal becomes as large as the client's when that changes, and Ctrl-C interrupts the program", async () => {
    const program = `trap 'stty size' WINCH; trap 'echo caught; exit 3' INT; echo ready; while :; do sleep 0.1; done`;
    await using terminal = startInTerminal(place, program);
    await expect.poll(terminal.output, WITHIN).toContain("ready");
    terminal.resize(31, 97);
    await expect.poll(terminal.output, WITHIN).toContain("31 97");
    terminal.types("\x03");
    await expect.poll(terminal.output, WITHIN).toContain("caught");
    await expect.poll(terminal.output, WITHIN).toContain("ended with 3");
  });

  test("a client that goes away takes its programs with it", async () => {
    const client = startSsh("ssh", place, [target(place), "echo in; exec sleep 4321"]);
    await once(client.stdout as NodeJS.ReadableStream, "data");
    const programs = async () => (await ssh("cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).out;
    expect(await programs()).toContain("sleep 4321");
    client.kill("SIGKILL");
    await expect.poll(programs, WITHIN).not.toContain("sleep 4321");
  });

  test("rejects a wrong password and an unknown shell", async () => {
    expect(await ssh("true", "", { password: "wrong" })).toMatchObject({ code: 255 });
    const none = await runSsh("ssh", place, [target({ ...place, user: "root" }), "true"]);
    expect(none).toMatchObject({ code: 255, err: expect.stringContaining("Permission denied") });
  });

  test("scp and sftp copy 64 MiB each way, byte for byte", async () => {
    const [sent, back] = [join(cluster.folder, "sent"), join(cluster.folder, "back")];
    writeFileSync(sent, randomBytes(COPIED_BYTES));
    expect(await runSsh("scp", place, [sent, `${target(place)}:copy`])).toMatchObject({ code: 0, err: "" });
    expect((await ssh("sha256sum copy")).out).toContain(digest(readFileSync(sent)));
    expect((await runSsh("sftp", place, [target(place)], `get copy ${back}\n`)).code).toBe(0);
    expect(digest(readFileSync(back))).toBe(digest(readFileSync(sent)));
  });

  test("-L reaches what listens in the shell, and nothing of the machine", async () => {
    const [local, toEtcd] = [await freePort(), await freePort()];
    const etcd = new URL(cluster.etcd.endpoint).port;
    const forwards = ["-L", `${local}:localhost:9999`, "-L", `${toEtcd}:127.0.0.1:${etcd}`];
    const client = startSsh("ssh", place, [...forwards, target(place), "socat TCP4-LISTEN:9999,fork SYSTEM:cat"]);
    await expect.poll(() => exchange(local, "hello"), { timeout: 90_000 }).toBe("hello");
    expect(await exchange(toEtcd, "GET /version HTTP/1.0\r\n\r\n")).toBe("");
    client.kill();
    await once(client, "exit");
  });

  test("nothing is forwarded the other way, nor an agent or a display", async () => {
    const back = await runSsh("ssh", place, [
      "-o",
      "ExitOnForwardFailure=yes",
      "-R",
      "0:localhost:1",
      target(place),
      "true",
    ]);
    expect([back.code, back.err]).toEqual([255, expect.stringContaining("remote port forwarding failed")]);
    const { out } = await runSsh("ssh", place, ["-A", "-X", target(place), 'echo "[$SSH_AUTH_SOCK][$DISPLAY]"']);
    expect(out).toBe("[][]\n");
  });

  test("fifty sessions at once", async () => {
    const all = await Promise.all(Array.from({ length: 50 }, (_, n) => ssh(`echo ${n}`)));
    expect(all).toEqual(Array.from({ length: 50 }, (_, n) => ({ code: 0, out: `${n}\n`, err: "" })));
  });

  test("does not delay the owner during a flood of wrong passwords from elsewhere", async () => {
    const flood = Promise.all(
      Array.from({ length: 20 }, () => ssh("true", "", { password: "wrong", from: "127.0.0.9" })),
    );
    expect((await ssh("echo in")).out).toBe("in\n");
    expect((await flood).map(({ code }) => code)).toEqual(Array(20).fill(255));
  });

  test("accepts an added key at once, and ends the sessions of a removed one", async () => {
    const identity = join(cluster.folder, "id");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", identity]);
    const added = await cluster.client().call("/v1/me/authorized-keys", {
      method: "POST",
      body: JSON.stringify({ key: readFileSync(`${identity}.pub`, "utf8") }),
      headers: { "content-type": "application/json" },
    });
    expect(added.status).toBe(201);
    const { key_id: keyId } = JSON.parse(added.text) as { readonly key_id: string };
    const byKey = { ...place, password: "", identity };
    const session = startSsh("ssh", byKey, [target(place), "echo in; cat"]);
    const [first] = (await once(session.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    expect(first.toString()).toBe("in\n");
    const ended = once(session, "exit");
    const removedAt = performance.now();
    expect((await cluster.client().call(`/v1/me/authorized-keys/${keyId}`, { method: "DELETE" })).status).toBe(204);
    expect((await ended)[0]).toBe(255);
    expect(performance.now() - removedAt).toBeLessThan(5_000);
    expect((await runSsh("ssh", byKey, [target(place), "true"])).code).toBe(255);
  });

  test("deleting the shell ends its sessions within five seconds", async () => {
    const session = startSsh("ssh", place, [target(place), "echo in; cat"]);
    await once(session.stdout as NodeJS.ReadableStream, "data");
    const ended = once(session, "exit");
    const deletedAt = performance.now();
    expect((await cluster.client().call(`/v1/shells/${shell.shell_id}`, { method: "DELETE" })).status).toBe(204);
    expect((await ended)[0]).not.toBe(0);
    expect(performance.now() - deletedAt).toBeLessThan(5_000);
    expect(await ssh("true")).toMatchObject({ code: 255 });
  });
});

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What comes back on that port of this machine; empty when it ends or is not there. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    socket.write(text);
    const got = await Promise.race([once(socket, "data"), once(socket, "close").then(() => [""])]);
    return String(got[0]);
  } catch {
    return "";
  } finally {
    socket.destroy();
  }
}
