/** What one shell's user does to the sessions of another shell on the same machine: nothing. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import ssh2, { type Client } from "ssh2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { readyShell } from "../cluster/shell.ts";
import { type ShellCluster, startShellCluster } from "../cluster/shell-cluster.ts";
import { runSsh, type SshPlace, startSsh, target } from "../cluster/ssh-client.ts";

const noEngine = await whyNoEngineHere();
/** Of one connection, each on a port of the shell's. */
const FORWARDS = 60;
/** More together than a machine has tunnels. */
const CONNECTIONS = 8;
const STUCK_PORT = 9000;
const OPEN_PORT = 9001;

const parts = new AsyncDisposableStack();
let shells: ShellCluster;
let other: SshPlace;
beforeAll(async () => {
  if (noEngine !== null) return;
  shells = parts.use(await startShellCluster({ agentSettings: { ELASTIC_SLOTS: "4" } }));
  const { shell_id: user, password } = await readyShell(shells.cluster.client());
  other = { ...shells.place, user, password };
}, 240_000);
afterAll(() => parts.disposeAsync());

const inOther = () => runSsh("ssh", other, [target(other), "echo in"]);

/** Listens in the greedy shell until the test ends. */
async function listen(port: number, options: string): Promise<void> {
  const listener = `socat TCP4-LISTEN:${port},bind=127.0.0.1,fork,${options} SYSTEM:'sleep 1000'`;
  const child: ChildProcess = startSsh("ssh", shells.place, [target(shells.place), listener]);
  parts.defer(() => void child.kill());
  const isUp = async () => (await runSsh("ssh", shells.place, [target(shells.place), "cat /proc/net/tcp"])).out;
  const hex = port.toString(16).toUpperCase();
  await expect.poll(isUp, { timeout: 90_000 }).toContain(`0100007F:${hex} 00000000:0000 0A`);
}

async function greedy(): Promise<Client> {
  const [host, port] = shells.place.address.split(":");
  const client = new ssh2.Client();
  client.on("error", () => undefined);
  const { user: username, password } = shells.place;
  client.connect({ host: host ?? "", port: Number(port), username, password });
  await once(client, "ready");
  parts.defer(() => void client.destroy());
  return client;
}

function forward(client: Client, port: number): Promise<boolean> {
  return new Promise((resolve) =>
    client.forwardOut("127.0.0.1", 1, "127.0.0.1", port, (error) => resolve(error === undefined)),
  );
}

describe.skipIf(noEngine !== null)("a shell", { timeout: 240_000 }, () => {
  test("whose ports no longer accept connections delays no other", async () => {
    await listen(STUCK_PORT, "backlog=1,max-children=1");
    const client = await greedy();
    for (let n = 0; n < FORWARDS; n += 1) void forward(client, STUCK_PORT);
    const beganAt = performance.now();
    expect(await inOther()).toMatchObject({ code: 0, out: "in\n" });
    expect(performance.now() - beganAt).toBeLessThan(10_000);
    client.end();
  });

  test("that opens all the tunnels that it may leaves some", async () => {
    await listen(OPEN_PORT, "backlog=1024");
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, greedy));
    const all = clients.flatMap((client) => Array.from({ length: FORWARDS }, () => forward(client, OPEN_PORT)));
    expect(await Promise.all(all)).toContain(false);
    expect(await inOther()).toMatchObject({ code: 0, out: "in\n" });
    for (const client of clients) client.end();
  });
});
