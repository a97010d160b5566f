/** A session: what it shows and carries, what holds it back, and what ends it. */
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { said } from "./testing/fake-shells.ts";
import {
  BY_KEY,
  ended,
  exec,
  startServingGateway,
  TEST_SHELL,
  type TestGateway,
  textOf,
} from "./testing/test-gateway.ts";

const TERMINAL = { term: "xterm", cols: 80, rows: 24 };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startServingGateway();
});
afterEach(() => gateway[Symbol.asyncDispose]());

/** Each change of the directory is an occasion to send what is due. */
async function shows(seen: () => string, text: string): Promise<void> {
  const afterAChange = () => {
    gateway.directory.changed();
    return seen();
  };
  await expect.poll(afterAChange).toContain(text);
}

describe("a session", () => {
  test("ends within a second when its shell is deleted, its password or its key is another", async () => {
    const byPassword = await gateway.login();
    gateway.directory.add(TEST_SHELL, { password: "new" });
    gateway.directory.changed();
    await once(byPassword, "close");
    const byKey = await gateway.login(BY_KEY);
    gateway.directory.keys.clear();
    gateway.directory.changed();
    await once(byKey, "close");
    const again = await gateway.login({ password: "new" });
    gateway.directory.shells.clear();
    gateway.directory.changed();
    await once(again, "close");
  });

  test("stays open while no shell is known, but starts nothing, and nobody else gets in", async () => {
    const client = await gateway.login();
    gateway.directory.known = false;
    gateway.directory.changed();
    await expect(gateway.login()).rejects.toThrow();
    await expect(gateway.login(BY_KEY)).rejects.toThrow();
    const { err, code } = await ended(await exec(client, "make"));
    expect([err, code]).toEqual([expect.stringContaining("does not know which shells there are"), 255]);
  });

  test("notifies its terminal once that the end is near", async () => {
    const client = await gateway.login();
    const channel = await exec(client, "vi", { pty: TERMINAL });
    const seen = textOf(channel);
    gateway.directory.add(TEST_SHELL, { end: { at: Date.now() + 60_000, cause: "expired" } });
    gateway.directory.changed();
    gateway.directory.changed();
    await expect.poll(seen).toContain("ends within a minute");
    expect(seen().match(/ends within/g)).toHaveLength(1);
  });

  test("shows a terminal the warning that fell due before it was opened", async () => {
    gateway.directory.add(TEST_SHELL, { end: { at: Date.now() + 60_000, cause: "expired" } });
    const client = await gateway.login();
    gateway.directory.changed();
    const channel = await exec(client, "vi", { pty: TERMINAL });
    const seen = textOf(channel);
    await shows(seen, "ends within a minute");
  });

  test("notifies its terminal once of a drain of the machine", async () => {
    gateway.directory.add(TEST_SHELL, { notice: "its machine is to be emptied" });
    const client = await gateway.login();
    gateway.directory.changed();
    const channel = await exec(client, "vi", { pty: TERMINAL });
    const seen = textOf(channel);
    await shows(seen, "to be emptied");
    gateway.directory.changed();
    const over = ended(channel);
    channel.end();
    await over;
    expect(seen().match(/to be emptied/g)).toHaveLength(1);
  });

  test("carries the terminal, its sizes, signals and the variables that may be set", async () => {
    const client = await gateway.login();
    const env = { LANG: "C.UTF-8", LC_ALL: "C", LD_PRELOAD: "/x.so", PATH: "/x", LC_TIME: "a\nb" };
    const channel = await exec(client, "vi", { env, pty: { term: "xterm", cols: 100, rows: 30 } });
    const over = ended(channel);
    channel.setWindow(40, 120, 0, 0);
    channel.signal("INT");
    await expect.poll(() => gateway.tunnels.opened[0]?.signals).toEqual(["INT"]);
    channel.end();
    const [tunnel] = gateway.tunnels.opened;
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
    gateway.tunnels.program = async function* () {
      for (; made < 400; made++) yield { of: made % 3 === 0 ? "stderr" : "stdout", bytes: piece };
      return 0;
    };
    const client = await gateway.login();
    const channel = await exec(client, "flood");
    await expect.poll(() => made).toBeGreaterThan(20);
    expect(await stays(() => made)).toBeLessThan(200);
    const { out, err, code } = await ended(channel);
    expect([out.length, err.length, code]).toEqual([266 * piece.length, 134 * piece.length, 0]);
  });

  test("takes no more from its client than the program does", async () => {
    const hold = Promise.withResolvers<void>();
    gateway.tunnels.program = async function* (tunnel) {
      tunnel.hold = hold.promise;
      yield said("stdout", `${(await tunnel.allInput()).length}`);
      return 0;
    };
    const client = await gateway.login();
    const channel = await exec(client, "cat");
    const over = ended(channel);
    const bytes = 16 * 1024 * 1024;
    channel.end(Buffer.alloc(bytes));
    await expect.poll(() => gateway.tunnels.opened[0]?.input.length).toBe(1);
    expect(await stays(() => channel.writableLength)).toBeGreaterThan(bytes / 2);
    hold.resolve();
    expect((await over).out).toBe(`${bytes}`);
  });
});

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
