/** Clients that show a ticket: what passes between them and an sshd, what cuts it, and who gets nothing. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { systemClock } from "@elastic/std/clock.ts";
import ssh2, { type Client, type ConnectConfig } from "ssh2";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SshTunnel } from "../tunnels/tunnels.ts";
import { newKeyPair } from "./new-key-pair.ts";
import { said } from "./testing/fake-shells.ts";
import { ended, exec, startTestGateway, TEST_SHELL, type TestGateway } from "./testing/test-gateway.ts";

const KEY = newKeyPair();
const CLIENT_KEY = KEY.public.split(" ").slice(0, 2).join(" ");
const MEBIBYTE = Buffer.alloc(2 ** 20, "x");
const SETTLES = { timeout: 10_000 };

let gateway: TestGateway;
/** In the place of an sshd. */
let sshd: Server;
let sshds: Socket[];
let wanted: SshTunnel[];

beforeEach(async () => {
  gateway = await startTestGateway(async function* () {
    yield said("stdout", "served");
    return 7;
  }, systemClock);
  [sshds, wanted] = [[], []];
  sshd = createServer({ pauseOnConnect: true }, (socket) => void sshds.push(socket.on("error", () => undefined)));
  sshd.listen(0, "127.0.0.1");
  await once(sshd, "listening");
  const { port } = sshd.address() as AddressInfo;
  gateway.tunnels.sshd = (ssh) => {
    wanted.push(ssh);
    return connect(port, "127.0.0.1");
  };
  ticket("t");
});
afterEach(async () => {
  for (const socket of sshds) socket.destroy();
  sshd.close();
  await gateway[Symbol.asyncDispose]();
});

function ticket(text: string, shellId = TEST_SHELL): void {
  gateway.directory.tickets.set(text, { userId: "u1", keyId: "session", shellId, clientKey: CLIENT_KEY });
}

function dial(...texts: readonly string[]): Socket {
  const socket = connect(gateway.port, "127.0.0.1").on("error", () => undefined);
  for (const text of texts) socket.write(text);
  return socket;
}

async function sshdOf(count = 1): Promise<Socket> {
  await expect.poll(() => sshds.length, SETTLES).toBe(count);
  return sshds[count - 1] as Socket;
}

/** Both ends of a client that is in. */
async function open(): Promise<{ readonly client: Socket; readonly inside: Socket }> {
  const client = dial("elastic-ticket t\n", "hello");
  const inside = await sshdOf();
  const [first] = await once(inside.resume(), "data");
  expect(String(first)).toBe("hello");
  return { client, inside };
}

async function received(socket: Socket, bytes: number): Promise<string> {
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.length >= bytes) break;
  }
  return text;
}

const audited = (event: string) => gateway.logged.filter((line) => line.audit === true && line.event === event);

describe("a ticket", () => {
  test("opens an sshd with a certified key for the client's key alone, and what they say passes as it is", async () => {
    const client = dial("elastic-", "ticket t\nSSH-2.0-", "x\r\n");
    const inside = await sshdOf();
    expect(await received(inside, 11)).toBe("SSH-2.0-x\r\n");
    inside.write("anything\0\xff");
    expect(await received(client, 10)).toBe("anything\0\xff");
    expect(wanted).toEqual([
      {
        clientKey: CLIENT_KEY,
        hostKey: expect.stringContaining("PRIVATE KEY"),
        hostCertificate: expect.stringMatching(/^ssh-ed25519-cert-v01@openssh\.com /),
      },
    ]);
    expect(audited("shell_login")).toMatchObject([
      { by: "ticket", shellId: TEST_SHELL, userId: "u1", keyId: "session" },
    ]);
    client.destroy();
    await expect.poll(() => audited("shell_logout"), SETTLES).toMatchObject([{ by: "ticket", bytesIn: 11 }]);
    expect(gateway.directory.uses).toContain(TEST_SHELL);
  });

  test("works once, and what is none opens nothing", async () => {
    await open();
    for (const text of ["t", "", "u", "x".repeat(200)]) await once(dial(`elastic-ticket ${text}\n`).resume(), "close");
    expect([wanted.length, gateway.tunnels.opened.length]).toEqual([1, 0]);
    expect(audited("shell_login_failed")[0]).toMatchObject({ by: "ticket", count: 1 });
  });

  test("of a shell that was deleted opens nothing", async () => {
    gateway.directory.shells.delete(TEST_SHELL);
    await once(dial("elastic-ticket t\n").resume(), "close");
    expect(wanted).toEqual([]);
  });
});

describe("what is open is cut at once", () => {
  test.each([
    ["the access key or session is revoked", () => gateway.directory.revoked.add("session")],
    ["the shell is deleted", () => gateway.directory.shells.delete(TEST_SHELL)],
    ["the shell is stopped", () => gateway.directory.add(TEST_SHELL, { assignmentId: null, state: "stopped" })],
    ["the shell runs again elsewhere", () => gateway.directory.add(TEST_SHELL, { assignmentId: "a2" })],
  ])("when %s", async (_, change) => {
    const { client, inside } = await open();
    const closed = Promise.all([once(client.resume(), "close"), once(inside, "close")]);
    const atMs = performance.now();
    change();
    gateway.directory.changed();
    await closed;
    expect(performance.now() - atMs).toBeLessThan(1_000);
  });

  test("and stays open while another changes", async () => {
    const { client, inside } = await open();
    gateway.directory.revoked.add("another");
    gateway.directory.changed();
    inside.write("still here");
    expect(await received(client, 10)).toBe("still here");
  });
});

test("whoever does not read makes the other side wait, either way", async () => {
  const { client, inside } = await open();
  inside.pause();
  let sent = 0;
  for (const from of [client, inside]) {
    const onto = async () => {
      for (sent = 0; sent < 512; sent += 1) if (!from.write(MEBIBYTE)) await once(from, "drain");
    };
    client.pause();
    void onto().catch(() => undefined);
    let [before, same] = [-1, 0];
    await expect
      .poll(() => {
        same = sent === before ? same + 1 : 0;
        before = sent;
        return same;
      }, SETTLES)
      .toBeGreaterThan(8);
    // The kernel's buffers of two connections, and little here.
    expect(sent).toBeLessThan(64);
  }
});

test("garbage after a ticket is the sshd's to judge, and disturbs nobody else", async () => {
  const { client } = await open();
  client.write(Buffer.alloc(2 ** 16, 255));
  const other = await gateway.login();
  expect(await ended(await exec(other, "make"))).toMatchObject({ out: "served", code: 7 });
});

describe("where no sshd can be opened the gateway serves the client", () => {
  beforeEach(() => {
    gateway.tunnels.sshd = null;
  });

  /** Rejects where it is not let in. */
  async function login(given: ConnectConfig): Promise<Client> {
    const client = new ssh2.Client();
    const settled = Promise.race([
      once(client, "ready"),
      once(client, "error").then(([error]) => Promise.reject(error)),
    ]);
    client.connect({ sock: dial("elastic-ticket t\n"), username: "nobody", ...given });
    await settled;
    return client;
  }

  test("by its key, whatever it calls itself, with the same line in the log", async () => {
    const client = await login({ privateKey: KEY.private });
    expect(await ended(await exec(client, "make"))).toMatchObject({ out: "served", code: 7 });
    expect(audited("shell_login")).toMatchObject([{ by: "ticket", userId: "u1", keyId: "session" }]);
    const closed = once(client, "close");
    gateway.directory.revoked.add("session");
    gateway.directory.changed();
    await closed;
  });

  test.each<[string, ConnectConfig]>([
    ["another key", { privateKey: newKeyPair().private }],
    ["the shell's password", { password: "right", username: TEST_SHELL }],
  ])("and not by %s", async (_, given) => {
    await expect(login(given)).rejects.toThrow("authentication methods failed");
    expect(audited("shell_login")).toEqual([]);
  });
});

test("a client that waits for the gateway's first line gets it", async () => {
  expect(await received(dial(), 9)).toMatch(/^SSH-2\.0-elastic/);
});
