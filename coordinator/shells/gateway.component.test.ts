import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog, type Logger } from "@elastic/std/log.ts";
import ssh2, { type Client, type ClientChannel, type ConnectConfig } from "ssh2";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMetrics } from "../metrics/metrics.ts";
import type { OutputPiece } from "../tunnels/tunnels.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { LOGIN_TRIES_PER_CONNECTION_MAX, UNKNOWN_PER_SOURCE_MAX } from "./limits.ts";
import { newKeyPair } from "./new-key-pair.ts";
import { FakeDirectory, type FakeTunnel, FakeTunnels, said } from "./testing/fake-shells.ts";

const SHELL = "0".repeat(31) + 1;
const HOST_KEY = Buffer.from(newKeyPair().private);
const USER_KEY = newKeyPair();
const BY_KEY: ConnectConfig = { privateKey: USER_KEY.private, authHandler: ["publickey"] };
const KEY_LOGIN = { by: "key", userId: "u1", keyId: "k1" } as const;

let directory: FakeDirectory;
let tunnels: FakeTunnels;
let gateway: Gateway;
let logged: Record<string, unknown>[];
const open: Client[] = [];
const exits = new WeakMap<ClientChannel, number | null>();

beforeEach(async () => {
  directory = new FakeDirectory();
  directory.add(SHELL);
  directory.keys.set(USER_KEY.public.split(" ")[1] ?? "", { teamId: "t1", login: KEY_LOGIN });
  tunnels = new FakeTunnels(async function* () {
    yield said("stdout", "out");
    yield said("stderr", "err");
    return 7;
  });
  const lines: Record<string, unknown>[] = [];
  logged = lines;
  const info = (facts: Record<string, unknown>) => void lines.push(facts);
  const log = Object.assign(createLog({ name: "test", level: "silent" }), { info }) as Logger;
  gateway = await startGateway({
    directory,
    tunnels,
    clock: systemClock,
    log,
    metrics: createMetrics().ssh,
    listen: { host: "127.0.0.1", port: 0 },
    hostKey: HOST_KEY,
  });
});

afterEach(async () => {
  for (const client of open.splice(0)) client.destroy();
  await gateway.stop();
});

function port(): number {
  return Number(gateway.address.split(":").at(-1));
}

function dial(given: ConnectConfig = {}): Client {
  const client = new ssh2.Client();
  open.push(client);
  client.on("error", () => undefined);
  client.connect({ host: "127.0.0.1", port: port(), username: SHELL, password: "right", ...given });
  return client;
}

async function login(given: ConnectConfig = {}): Promise<Client> {
  const client = dial(given);
  await Promise.race([once(client, "ready"), once(client, "error").then(([error]) => Promise.reject(error))]);
  return client;
}

/** How a login is refused, and after how long. */
async function refusal(given: ConnectConfig): Promise<{ readonly message: string; readonly ms: number }> {
  const beganAt = performance.now();
  const message = await login(given).then(
    () => "admitted",
    (error: Error) => error.message,
  );
  return { message, ms: performance.now() - beganAt };
}

function exec(client: Client, command: string, options = {}): Promise<ClientChannel> {
  return new Promise((resolve, reject) =>
    client.exec(command, options, (error, channel) => {
      if (error !== undefined) return reject(error);
      // It may come with the same bytes as the channel.
      channel.once("exit", (code: number | null) => exits.set(channel, code));
      resolve(channel);
    }),
  );
}

async function ended(channel: ClientChannel): Promise<{ out: string; err: string; code: number | null }> {
  let out = "";
  let err = "";
  channel.on("data", (bytes: Buffer) => {
    out += bytes.toString();
  });
  channel.stderr.on("data", (bytes: Buffer) => {
    err += bytes.toString();
  });
  await once(channel, "close");
  return { out, err, code: exits.get(channel) ?? null };
}

describe("who logs in", () => {
  test("with the shell's password runs commands, with output, errors and exit code apart", async () => {
    const client = await login();
    expect(await ended(await exec(client, "make"))).toEqual({ out: "out", err: "err", code: 7 });
    expect(tunnels.opened[0]?.kind).toEqual({ kind: "exec", command: "make", terminal: null, env: {} });
  });

  test("with a key of a member of the team gets in as well, and the log says who it was", async () => {
    await login(BY_KEY);
    const lines = logged.filter(({ audit }) => audit === true);
    expect(lines).toEqual([
      expect.objectContaining({ event: "shell_login", shellId: SHELL, userId: "u1", keyId: "k1" }),
    ]);
  });

  test("leaves a line that says how long and how much", async () => {
    const client = await login();
    await ended(await exec(client, "make"));
    client.end();
    await expect
      .poll(() => logged.find(({ event }) => event === "shell_logout"))
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
    const client = dial({
      authHandler: (_left: unknown, _partial: unknown, next: (how: object) => void) => {
        tries += 1;
        next({ type: "publickey", username: SHELL, key: newKeyPair().private });
      },
    } as never);
    await once(client, "close");
    // The client may begin one more before it reads that this was the last.
    expect([LOGIN_TRIES_PER_CONNECTION_MAX + 1, LOGIN_TRIES_PER_CONNECTION_MAX + 2]).toContain(tries);
  });

  test("receives the reason when the shell is not up", async () => {
    directory.add(SHELL, { assignmentId: null, state: "stopped" });
    const client = await login();
    const { err, code } = await ended(await exec(client, "ls"));
    expect([err, code]).toEqual([expect.stringContaining("the shell is STOPPED"), 255]);
  });
});

test("wrong passwords slow down their source, and never somebody who was in before", async () => {
  await login();
  const flood = Array.from({ length: 12 }, () => refusal({ username: `${"0".repeat(31)}3`, password: "wrong" }));
  const slowest = Math.max(...(await Promise.all(flood)).map(({ ms }) => ms));
  expect((await refusal({ username: `${"0".repeat(31)}3`, password: "wrong" })).ms).toBeGreaterThan(1_500);
  expect(slowest).toBeGreaterThan(390);
  expect((await refusal({})).message).toBe("admitted");
}, 20_000);

test("half-open handshakes keep nobody out", async () => {
  const sockets: Socket[] = [];
  for (let n = 0; n < UNKNOWN_PER_SOURCE_MAX + 50; n++) {
    const socket = connect(port(), "127.0.0.1").on("error", () => undefined);
    await once(socket.resume(), "connect");
    sockets.push(socket);
  }
  await login();
  await expect.poll(() => sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length).toBe(51);
  for (const socket of sockets) socket.destroy();
});

test("bytes that are no SSH end their connection and no other", async () => {
  const client = await login();
  for (const bytes of ["GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n\xff\xff\xff\xff".repeat(10), "\0".repeat(100_000)]) {
    const socket = connect(port(), "127.0.0.1").on("error", () => undefined);
    socket.write(bytes);
    socket.resume();
    await once(socket, "close");
  }
  expect((await ended(await exec(client, "make"))).code).toBe(7);
});

describe("a session", () => {
  test("ends within a second when its shell is deleted, its password or its key is another", async () => {
    const byPassword = await login();
    directory.add(SHELL, { password: "new" });
    directory.changed();
    await once(byPassword, "close");
    const byKey = await login(BY_KEY);
    directory.keys.clear();
    directory.changed();
    await once(byKey, "close");
    const again = await login({ password: "new" });
    directory.shells.clear();
    directory.changed();
    await once(again, "close");
  });

  test("stays open while no shell is known, but starts nothing, and nobody else gets in", async () => {
    const client = await login();
    directory.known = false;
    directory.changed();
    expect((await refusal({})).message).not.toBe("admitted");
    expect((await refusal(BY_KEY)).message).not.toBe("admitted");
    const { err, code } = await ended(await exec(client, "make"));
    expect([err, code]).toEqual([expect.stringContaining("does not know which shells there are"), 255]);
  });

  test("notifies its terminal once that the end is near", async () => {
    tunnels.program = untilInputEnds;
    const client = await login();
    const channel = await exec(client, "vi", { pty: { term: "xterm", cols: 80, rows: 24 } });
    let seen = "";
    channel.on("data", (bytes: Buffer) => {
      seen += bytes.toString();
    });
    directory.add(SHELL, { end: { at: Date.now() + 60_000, cause: "expired" } });
    directory.changed();
    directory.changed();
    await expect.poll(() => seen).toContain("ends within a minute");
    expect(seen.match(/ends within/g)).toHaveLength(1);
  });

  test("shows a terminal the warning that fell due before it was opened", async () => {
    tunnels.program = untilInputEnds;
    directory.add(SHELL, { end: { at: Date.now() + 60_000, cause: "expired" } });
    const client = await login();
    directory.changed();
    const channel = await exec(client, "vi", { pty: { term: "xterm", cols: 80, rows: 24 } });
    let seen = "";
    channel.on("data", (bytes: Buffer) => {
      seen += bytes.toString();
    });
    await expect
      .poll(() => {
        directory.changed();
        return seen;
      })
      .toContain("ends within a minute");
  });

  test("notifies its terminal once of a drain of the machine", async () => {
    tunnels.program = untilInputEnds;
    directory.add(SHELL, { notice: "its machine is to be emptied" });
    const client = await login();
    directory.changed();
    const channel = await exec(client, "vi", { pty: { term: "xterm", cols: 80, rows: 24 } });
    let seen = "";
    channel.on("data", (bytes: Buffer) => {
      seen += bytes.toString();
    });
    await expect
      .poll(() => {
        directory.changed();
        return seen;
      })
      .toContain("to be emptied");
    directory.changed();
    const over = ended(channel);
    channel.end();
    await over;
    expect(seen.match(/to be emptied/g)).toHaveLength(1);
  });

  test("carries the terminal, its sizes, signals and the variables that may be set", async () => {
    tunnels.program = untilInputEnds;
    const client = await login();
    const env = { LANG: "C.UTF-8", LC_ALL: "C", LD_PRELOAD: "/x.so", PATH: "/x", LC_TIME: "a\nb" };
    const channel = await exec(client, "vi", { env, pty: { term: "xterm", cols: 100, rows: 30 } });
    const over = ended(channel);
    channel.setWindow(40, 120, 0, 0);
    channel.signal("INT");
    await expect.poll(() => tunnels.opened[0]?.signals).toEqual(["INT"]);
    channel.end();
    const [tunnel] = tunnels.opened;
    expect(tunnel?.kind).toMatchObject({
      terminal: { type: "xterm", size: { columns: 100, rows: 30 } },
      env: { LANG: "C.UTF-8", LC_ALL: "C" },
    });
    expect(tunnel?.sizes).toEqual([{ columns: 120, rows: 40 }]);
    await over;
  });

  test("sends no more than its client takes, output and errors in turns, and loses none of either", async () => {
    const piece = Buffer.alloc(64 * 1024, "x");
    let made = 0;
    tunnels.program = async function* () {
      for (; made < 400; made++) yield { of: made % 3 === 0 ? "stderr" : "stdout", bytes: piece };
      return 0;
    };
    const client = await login();
    const channel = await exec(client, "flood");
    await expect.poll(() => made).toBeGreaterThan(20);
    expect(await stays(() => made)).toBeLessThan(200);
    const { out, err, code } = await ended(channel);
    expect([out.length, err.length, code]).toEqual([266 * piece.length, 134 * piece.length, 0]);
  });

  test("takes no more from its client than the program does", async () => {
    const hold = Promise.withResolvers<void>();
    tunnels.program = async function* (tunnel) {
      tunnel.hold = hold.promise;
      yield said("stdout", `${(await tunnel.allInput()).length}`);
      return 0;
    };
    const client = await login();
    const channel = await exec(client, "cat");
    const over = ended(channel);
    const bytes = 16 * 1024 * 1024;
    channel.end(Buffer.alloc(bytes));
    await expect.poll(() => tunnels.opened[0]?.input.length).toBe(1);
    expect(await stays(() => channel.writableLength)).toBeGreaterThan(bytes / 2);
    hold.resolve();
    expect((await over).out).toBe(`${bytes}`);
  });
});

describe("a forward", () => {
  const forward = (client: Client, host: string, to: number): Promise<ClientChannel | string> =>
    new Promise((resolve) =>
      client.forwardOut("127.0.0.1", 1, host, to, (error, channel) => resolve(error?.message ?? channel)),
    );

  test("leads to the shell's own ports", async () => {
    tunnels.program = async function* (tunnel) {
      yield { of: "stdout", bytes: await tunnel.allInput() };
      return null;
    };
    const channel = (await forward(await login(), "localhost", 8888)) as ClientChannel;
    channel.end("hello");
    expect((await ended(channel)).out).toBe("hello");
    expect(tunnels.opened[0]?.kind).toEqual({ kind: "port", port: 8888 });
  });

  test.each(["10.0.0.1", "169.254.169.254", "etcd", "127.0.0.2", "::ffff:127.0.0.1"])(
    "leads not to %s",
    async (host) => {
      expect(await forward(await login(), host, 2379)).toMatch(/Channel open failure/);
      expect(tunnels.opened).toEqual([]);
    },
  );

  test("is not made the other way, nor for sockets, agents or displays", async () => {
    const client = await login();
    const refused = (requestForward: (done: (error?: Error | null) => void) => void) =>
      new Promise((resolve) => requestForward((error) => resolve(error instanceof Error)));
    expect(await refused((done) => client.forwardIn("127.0.0.1", 0, done))).toBe(true);
    expect(await refused((done) => client.openssh_forwardInStreamLocal("/x", done))).toBe(true);
    expect(await refused((done) => client.openssh_forwardOutStreamLocal("/run/x", done))).toBe(true);
    expect(await refused((done) => client.exec("x", { x11: true }, done))).toBe(true);
  });
});

async function* untilInputEnds(tunnel: FakeTunnel): AsyncGenerator<OutputPiece, number> {
  await tunnel.allInput();
  yield said("stdout", "bye");
  return 0;
}

/** What it reads once it has not changed for a while. */
async function stays(read: () => number): Promise<number> {
  let same = 0;
  let last = read();
  await expect
    .poll(
      () => {
        same = read() === last ? same + 1 : 0;
        last = read();
        return same;
      },
      { timeout: 10_000 },
    )
    .toBeGreaterThan(5);
  return last;
}
