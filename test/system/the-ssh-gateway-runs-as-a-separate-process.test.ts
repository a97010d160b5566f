import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { parseJsonLine } from "@elastic/deploy/local/json-line.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiClient, apiClient } from "../cluster/api-client.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import type { Gateway } from "../cluster/gateway.ts";
import { addMember } from "../cluster/second-team.ts";
import { type ShellCluster, startShellCluster } from "../cluster/shell-cluster.ts";
import { runSsh, type SshPlace, startSsh, target } from "../cluster/ssh-client.ts";

const noEngine = await whyNoEngineHere();
/** An agent learns of a new coordinator with its next heartbeat. */
const FOUND_WITHIN = { timeout: 90_000 };
const ENDS_WITHIN_MS = 5_000;

/** Of a shell's record. */
interface ShellRecord {
  readonly hostname: string;
  readonly port: number;
  readonly host_key: string;
}

const parts = new AsyncDisposableStack();
let shells: ShellCluster;
let client: ApiClient;
let gateways: Gateway[];
let ports: string[];

beforeAll(async () => {
  if (noEngine !== null) return;
  ports = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  shells = parts.use(
    await startShellCluster({
      coordinatorSettings: {
        ELASTIC_ROLES: "http,fleet,scheduler,webhooks",
        ELASTIC_SSH_ADVERTISE: ports[0] ?? "",
      },
    }),
  );
  client = shells.cluster.client();
  gateways = [];
  for (const [index, port] of ports.entries()) {
    gateways.push(await shells.cluster.addGateway(`gateway-${index + 1}`, port));
  }
}, 240_000);
afterAll(() => parts.disposeAsync());

const run = (command: string, given: Partial<SshPlace> = {}) =>
  runSsh("ssh", { ...shells.place, ...given }, [target(shells.place), command]);

/** A session that stands, and how long after `act` it takes to end. */
async function endsAfter(place: SshPlace, act: () => Promise<unknown>): Promise<number> {
  const session = startSsh("ssh", place, [target(place), "echo in; cat"]);
  await once(session.stdout as NodeJS.ReadableStream, "data");
  const ended = once(session, "exit");
  const atMs = performance.now();
  await act();
  expect((await ended)[0]).toBe(255);
  return performance.now() - atMs;
}

async function addKey(api: ApiClient, name: string): Promise<{ readonly identity: string; readonly keyId: string }> {
  const identity = join(shells.cluster.folder, name);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", identity]);
  const added = await api.call("/v1/me/authorized-keys", {
    method: "POST",
    body: JSON.stringify({ key: readFileSync(`${identity}.pub`, "utf8") }),
    headers: { "content-type": "application/json" },
  });
  expect(added.status).toBe(201);
  return { identity, keyId: (added.json as { readonly key_id: string }).key_id };
}

describe.skipIf(noEngine !== null)("separate gateways", { timeout: 240_000 }, () => {
  test("are found by agents that were linked before they were there", async () => {
    for (const address of ports) {
      await expect.poll(async () => (await run("echo in", { address })).out, FOUND_WITHIN).toBe("in\n");
    }
  });

  test("have one host key, before and after a restart, and shells show their address and that key", async () => {
    const [first] = gateways;
    const own = () => new Set(knownHosts().map(([, , key]) => key));
    expect(knownHosts().map(([host]) => host)).toEqual(ports.map((port) => `[127.0.0.1]:${port.split(":")[1]}`));
    expect(own().size).toBe(1);
    await first?.kill();
    await first?.start();
    // The client has taken the first key for good: another would be refused.
    await expect.poll(async () => (await run("echo in", { address: ports[0] ?? "" })).out, FOUND_WITHIN).toBe("in\n");
    expect(own().size).toBe(1);
    const shown = (await client.call(`/v1/shells/${shells.shell.shell_id}`)).json as ShellRecord;
    expect(`${shown.hostname}:${shown.port}`).toBe(ports[0]);
    expect(own()).toEqual(new Set([shown.host_key.split(" ")[1]]));
  });

  test("continue sessions while the leader is away", async () => {
    const [leader] = shells.cluster.coordinators;
    const session = startSsh("ssh", { ...shells.place, address: ports[1] ?? "" }, [target(shells.place), "cat"]);
    let echoed = "";
    session.stdout?.on("data", (bytes: Buffer) => {
      echoed += bytes.toString();
    });
    session.stdin?.write("before\n");
    await expect.poll(() => echoed, FOUND_WITHIN).toBe("before\n");
    await leader?.kill();
    session.stdin?.write("after\n");
    await expect.poll(() => echoed, FOUND_WITHIN).toBe("before\nafter\n");
    expect((await run("echo new", { address: ports[1] ?? "" })).out).toBe("new\n");
    await leader?.start();
    session.stdin?.end();
    expect((await once(session, "exit"))[0]).toBe(0);
  });

  test("end sessions within five seconds after a key is revoked or its user leaves the team", async () => {
    const { etcd, firstKey, coordinators } = shells.cluster;
    const guest = await addMember(etcd.endpoint, { name: "guest", team: firstKey.teamName });
    const guestApi = apiClient({ url: coordinators[0]?.url ?? "", key: guest.key });
    const mine = await addKey(client, "mine");
    const theirs = await addKey(guestApi, "theirs");
    const place = (identity: string): SshPlace => ({
      ...shells.place,
      address: ports[1] ?? "",
      password: "",
      identity,
    });
    const revoked = () => client.call(`/v1/me/authorized-keys/${mine.keyId}`, { method: "DELETE" });
    expect(await endsAfter(place(mine.identity), revoked)).toBeLessThan(ENDS_WITHIN_MS);
    const left = () => client.call(`/v1/teams/${firstKey.teamId}/members/${guest.userId}`, { method: "DELETE" });
    expect(await endsAfter(place(theirs.identity), left)).toBeLessThan(ENDS_WITHIN_MS);
    for (const { identity } of [mine, theirs]) {
      expect((await runSsh("ssh", place(identity), [target(shells.place), "true"])).code).toBe(255);
    }
    const logins = audits(gateways[1]).filter(({ userId }) => userId === guest.userId);
    expect(logins).toEqual([
      expect.objectContaining({
        event: "shell_login",
        by: "key",
        address: "127.0.0.1",
        shellId: shells.shell.shell_id,
      }),
      expect.objectContaining({ event: "shell_logout", seconds: expect.any(Number), bytesOut: 3 }),
    ]);
    expect(logins.every(({ time }) => Math.abs(Date.now() - Number(time)) < 120_000)).toBe(true);
  });

  test("end sessions within five seconds after the shell ends", async () => {
    const place = { ...shells.place, address: ports[0] ?? "" };
    const deleted = () => client.call(`/v1/shells/${shells.shell.shell_id}`, { method: "DELETE" });
    expect(await endsAfter(place, deleted)).toBeLessThan(ENDS_WITHIN_MS);
    expect((await run("true", { address: ports[1] ?? "" })).err).toContain("Permission denied");
  });
});

/** Host, type and key of each line. */
function knownHosts(): readonly (readonly string[])[] {
  const text = readFileSync(join(shells.cluster.folder, "known_hosts"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
}

function audits(gateway: Gateway | undefined): readonly Readonly<Record<string, unknown>>[] {
  const lines = readFileSync(gateway?.logFile ?? "", "utf8").split("\n");
  return lines.map((line) => parseJsonLine(line) ?? {}).filter(({ audit }) => audit === true);
}
