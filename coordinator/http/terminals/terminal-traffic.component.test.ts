/** What travels in a terminal, what a client may not send, and what ends it. */
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { stopped } from "../../domain/shell.ts";
import { type FakeTunnel, said } from "../../shells/testing/fake-shells.ts";
import { remove, replace } from "../../store/change.ts";
import type { Store } from "../../store/store.ts";
import { TunnelError } from "../../tunnels/tunnels.ts";
import { call } from "../testing/call.ts";
import { MESSAGE_BYTES_MAX, WINDOW_BYTES } from "./terminal-limits.ts";
import { startTerminalFixture, type TerminalFixture } from "./testing/terminal-fixture.ts";

const PIECE_BYTES = 16 * 1024;

let terminals: TerminalFixture;

beforeEach(async () => {
  terminals = await startTerminalFixture(async function* (tunnel) {
    yield said("stdout", "$ ");
    await tunnel.allInput();
    return 0;
  });
});
afterEach(() => terminals[Symbol.asyncDispose]());

function lastTunnel(): FakeTunnel {
  const tunnel = terminals.tunnels.opened.at(-1);
  if (tunnel === undefined) throw new Error("no tunnel is open");
  return tunnel;
}

function inputOf(tunnel: FakeTunnel): Buffer {
  return Buffer.concat(tunnel.input);
}

describe("a terminal", () => {
  test("carries bytes both ways as they are, garbage too, and acknowledges what was taken", async () => {
    const client = await terminals.open();
    await expect.poll(() => client.output.toString()).toBe("$ ");
    const garbage = randomBytes(50_000);
    client.types(garbage);
    client.types("\u0003");
    await expect.poll(() => inputOf(lastTunnel()).length).toBe(50_001);
    expect(inputOf(lastTunnel()).subarray(0, 50_000).equals(garbage)).toBe(true);
    const acknowledged = () => client.messages.reduce((sum, { bytes }) => sum + Number(bytes), 0);
    await expect.poll(acknowledged).toBe(50_001);
  });

  test("has the client's size, and follows it to the last of many", async () => {
    const client = await terminals.open({ query: "&columns=132&rows=50" });
    const { kind } = lastTunnel();
    expect(kind).toMatchObject({ kind: "exec", command: null, terminal: { size: { columns: 132, rows: 50 } } });
    for (let columns = 80; columns <= 200; columns++) client.sendMessage({ type: "resize", columns, rows: 24 });
    await expect.poll(() => lastTunnel().sizes.at(-1)).toEqual({ columns: 200, rows: 24 });
    expect(lastTunnel().sizes.length).toBeLessThan(10);
  });

  test("ends with the login shell's exit code, or with what broke it", async () => {
    const exited = await terminals.open();
    lastTunnel().endInput();
    expect(await exited.ended).toEqual({ code: 1000, reason: "the login shell exited" });
    expect(exited.messages).toEqual([{ type: "exit", code: 0 }]);
    // biome-ignore lint/correctness/useYield: it breaks before it says anything.
    terminals.tunnels.program = async function* () {
      throw new TunnelError("the connection to the shell's machine was lost");
    };
    const broken = await terminals.open();
    expect(await broken.ended).toEqual({ code: 1013, reason: "the connection to the shell's machine was lost" });
  });

  test("closes its tunnel when the client goes away", async () => {
    const client = await terminals.open();
    client.socket.terminate();
    await expect.poll(() => lastTunnel().closed).toBe(true);
  });

  test("puts off the shell's idle stop", async () => {
    const shell = await terminals.api.store.get("shells", terminals.shellId);
    if (shell === null) throw new Error("no shell");
    await terminals.api.store.commit([replace("shells", shell, { ...shell.value, usedAt: 0 })]);
    const client = await terminals.open();
    client.types("x");
    const usedAt = () => terminals.api.store.view.shells.get(terminals.shellId)?.value.usedAt;
    await expect.poll(usedAt).toBeGreaterThan(0);
  });
});

describe("a client that breaks the protocol is cut:", () => {
  test("with a message over the limit, in one frame or in many", async () => {
    const whole = await terminals.open();
    whole.types(Buffer.alloc(MESSAGE_BYTES_MAX + 1));
    expect((await whole.ended).code).toBe(1009);
    const pieces = await terminals.open();
    for (let sent = 0; sent <= MESSAGE_BYTES_MAX; sent += 1024) pieces.socket.send(Buffer.alloc(1024), { fin: false });
    expect((await pieces.ended).code).toBe(1009);
    expect(terminals.tunnels.opened.flatMap(({ input }) => input)).toEqual([]);
  });

  test.each([
    "hello",
    "{}",
    '{"type":"resize","columns":0,"rows":0}',
    '{"type":"ack","bytes":1000000}',
    '{"type":"ack","bytes":3}',
    '{"type":"exit","code":0}',
  ])("with the text %s", async (text) => {
    const client = await terminals.open();
    client.socket.send(text);
    expect((await client.ended).code).toBe(1008);
  });

  test("with text that is not UTF-8, and with frames that are none", async () => {
    const text = await terminals.open();
    text.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect((await text.ended).code).toBe(1007);
    for (const garbage of [randomBytes(64), Buffer.from("GET / HTTP/1.1\r\n\r\n"), Buffer.from([0x8b, 0x80])]) {
      const client = await terminals.open();
      (client.socket as unknown as { readonly _socket: { write(bytes: Buffer): void } })._socket.write(garbage);
      expect([1002, 1006]).toContain((await client.ended).code);
      await expect.poll(() => lastTunnel().closed).toBe(true);
    }
  });

  test("with more input than may wait, where the program takes none", async () => {
    const client = await terminals.open();
    await expect.poll(() => client.output.length).toBe(2);
    lastTunnel().hold = new Promise(() => undefined);
    for (let sent = 0; sent < 2 * WINDOW_BYTES; sent += PIECE_BYTES) client.types(Buffer.alloc(PIECE_BYTES));
    expect((await client.ended).code).toBe(1008);
    expect(inputOf(lastTunnel()).length).toBeLessThanOrEqual(WINDOW_BYTES);
  });
});

describe("a client that does not read", () => {
  test("has the program wait with what it does not acknowledge", async () => {
    let madeBytes = 0;
    terminals.tunnels.program = async function* () {
      for (;;) {
        madeBytes += PIECE_BYTES;
        yield { of: "stdout", bytes: Buffer.alloc(PIECE_BYTES) };
      }
    };
    const client = await terminals.open({ acknowledges: false });
    await expect.poll(() => client.output.length).toBe(WINDOW_BYTES);
    expect(madeBytes).toBeLessThanOrEqual(WINDOW_BYTES + PIECE_BYTES);
    // Input still goes in, and each acknowledgement brings so much more.
    client.types("\u0003");
    await expect.poll(() => inputOf(lastTunnel()).toString()).toBe("\u0003");
    client.sendMessage({ type: "ack", bytes: PIECE_BYTES });
    await expect.poll(() => client.output.length).toBe(WINDOW_BYTES + PIECE_BYTES);
  });
});

describe("a terminal ends within a second", () => {
  async function endWithin(act: () => Promise<unknown>): Promise<{ readonly code: number; readonly reason: string }> {
    const client = await terminals.open();
    await expect.poll(() => client.output.length).toBe(2);
    await act();
    const actedAtMs = performance.now();
    const end = await client.ended;
    expect(performance.now() - actedAtMs).toBeLessThan(1_000);
    expect(lastTunnel().closed).toBe(true);
    client.types("after");
    expect(inputOf(lastTunnel()).length).toBe(0);
    return end;
  }

  const ended = { code: 4000, reason: "you are logged out, or no longer in the shell's team" };

  test("when its session is revoked", async () => {
    const { api, browser } = terminals;
    const logOut = () => call(`${api.url}/v1/sessions/current`, { method: "DELETE", headers: browser });
    expect(await endWithin(logOut)).toEqual(ended);
  });

  test("when its user leaves the team", async () => {
    const { store, own } = terminals.api;
    expect(await endWithin(() => removeMembership(store, `${own.userId}/${own.teamId}`))).toEqual(ended);
  });

  test("when the shell stops", async () => {
    const end = await endWithin(async () => {
      const { store } = terminals.api;
      const shell = await store.get("shells", terminals.shellId);
      if (shell === null) throw new Error("no shell");
      await store.commit([replace("shells", shell, stopped(shell.value, "user", Date.now()))]);
    });
    expect(end).toEqual({ code: 4000, reason: "the shell has stopped" });
  });

  test("when the server stops", async () => {
    expect((await endWithin(async () => void terminals.api.server.stop())).code).toBe(1001);
  });
});

test("nothing passes while nobody knows whether the session was revoked, and nothing is lost", async () => {
  const { kv, store } = terminals.api;
  const client = await terminals.open();
  await expect.poll(() => client.output.length).toBe(2);
  kv.faults.away = true;
  await expect.poll(() => store.view.ageMs(), { timeout: 5_000 }).toBeGreaterThan(1_500);
  client.types("held");
  const ponged = vi.fn();
  client.socket.once("pong", ponged).ping();
  await vi.waitFor(() => expect(ponged).toHaveBeenCalled());
  expect(inputOf(lastTunnel()).length).toBe(0);
  kv.faults.away = false;
  await expect.poll(() => inputOf(lastTunnel()).toString()).toBe("held");
});

async function removeMembership(store: Store, id: string): Promise<void> {
  const membership = await store.get("memberships", id);
  if (membership !== null) await store.commit([remove("memberships", membership)]);
}
