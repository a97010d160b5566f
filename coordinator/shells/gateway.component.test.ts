/** Who gets in, who does not, and what connections cost that are none. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { ConnectConfig } from "ssh2";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LOGIN_TRIES_PER_CONNECTION_MAX, UNKNOWN_PER_SOURCE_MAX } from "./limits.ts";
import { newKeyPair } from "./new-key-pair.ts";
import { said } from "./testing/fake-shells.ts";
import { BY_KEY, ended, exec, startTestGateway, TEST_SHELL, type TestGateway } from "./testing/test-gateway.ts";

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway(async function* () {
    yield said("stdout", "out");
    yield said("stderr", "err");
    return 7;
  });
});
afterEach(() => gateway[Symbol.asyncDispose]());

/** How a login is refused, and after how long. */
async function refusal(given: ConnectConfig): Promise<{ readonly message: string; readonly ms: number }> {
  const beganAt = performance.now();
  const message = await gateway.login(given).then(
    () => "admitted",
    (error: Error) => error.message,
  );
  return { message, ms: performance.now() - beganAt };
}

describe("who logs in", () => {
  test("with the shell's password runs commands, with output, errors and exit code apart", async () => {
    const client = await gateway.login();
    expect(await ended(await exec(client, "make"))).toEqual({ out: "out", err: "err", code: 7 });
    expect(gateway.tunnels.opened[0]?.kind).toEqual({ kind: "exec", command: "make", terminal: null, env: {} });
  });

  test("with a key of a member of the team gets in as well, and the log says who it was", async () => {
    await gateway.login(BY_KEY);
    const lines = gateway.logged.filter(({ audit }) => audit === true);
    expect(lines).toEqual([
      expect.objectContaining({ event: "shell_login", shellId: TEST_SHELL, userId: "u1", keyId: "k1" }),
    ]);
  });

  test("leaves a line that says how long and how much", async () => {
    const client = await gateway.login();
    await ended(await exec(client, "make"));
    client.end();
    await expect
      .poll(() => gateway.logged.find(({ event }) => event === "shell_logout"))
      .toMatchObject({ bytesOut: 6, seconds: 0 });
  });
});

describe("who does not", () => {
  test.each([
    ["a wrong password", { password: "wrong" }],
    ["another shell's id", { username: `${"0".repeat(31)}2` }],
    ["a name that is no id", { username: "root" }],
    ["a key that nobody has", { privateKey: newKeyPair().private, password: "wrong" }],
  ])("is refused in the same words and time: %s", async (_what, given) => {
    const { message, ms } = await refusal(given);
    expect(message).toMatch(/All configured authentication methods failed/);
    expect(ms).toBeGreaterThan(390);
    expect(ms).toBeLessThan(1500);
  });

  test("may try a few times on one connection, then it ends", async () => {
    let tries = 0;
    const client = gateway.dial({
      authHandler: (_left: unknown, _partial: unknown, next: (how: object) => void) => {
        tries += 1;
        next({ type: "publickey", username: TEST_SHELL, key: newKeyPair().private });
      },
    } as never);
    await once(client, "close");
    // The client may begin one more before it reads that this was the last.
    expect([LOGIN_TRIES_PER_CONNECTION_MAX + 1, LOGIN_TRIES_PER_CONNECTION_MAX + 2]).toContain(tries);
  });

  test("receives the reason when the shell is not up", async () => {
    gateway.directory.add(TEST_SHELL, { assignmentId: null, state: "stopped" });
    const client = await gateway.login();
    const { err, code } = await ended(await exec(client, "ls"));
    expect([err, code]).toEqual([expect.stringContaining("the shell is STOPPED"), 255]);
  });
});

test("wrong passwords slow down their source, and never somebody who was in before", async () => {
  await gateway.login();
  const flood = Array.from({ length: 12 }, () => refusal({ username: `${"0".repeat(31)}3`, password: "wrong" }));
  const slowest = Math.max(...(await Promise.all(flood)).map(({ ms }) => ms));
  expect((await refusal({ username: `${"0".repeat(31)}3`, password: "wrong" })).ms).toBeGreaterThan(1_500);
  expect(slowest).toBeGreaterThan(390);
  expect((await refusal({})).message).toBe("admitted");
}, 20_000);

test("half-open handshakes keep nobody out", async () => {
  const sockets: Socket[] = [];
  for (let n = 0; n < UNKNOWN_PER_SOURCE_MAX + 50; n++) {
    const socket = connect(gateway.port, "127.0.0.1").on("error", () => undefined);
    await once(socket.resume(), "connect");
    sockets.push(socket);
  }
  await gateway.login();
  await expect.poll(() => sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length).toBe(51);
  for (const socket of sockets) socket.destroy();
});

test("bytes that are no SSH end their connection and no other", async () => {
  const client = await gateway.login();
  for (const bytes of ["GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n\xff\xff\xff\xff".repeat(10), "\0".repeat(100_000)]) {
    const socket = connect(gateway.port, "127.0.0.1").on("error", () => undefined);
    socket.write(bytes);
    socket.resume();
    await once(socket, "close");
  }
  expect((await ended(await exec(client, "make"))).code).toBe(7);
});
