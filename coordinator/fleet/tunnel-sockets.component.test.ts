/** Connections of agents to an sshd, in plain and over TLS, next to the gRPC that the same port serves. */
import { once } from "node:events";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evicted } from "../domain/node.ts";
import { placed, ready } from "../domain/shell.ts";
import { aShell, aShellAssignment } from "../domain/testing/records.ts";
import { create, replace } from "../store/change.ts";
import { TUNNEL_LINK_GRACE_MS } from "./limits.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import { type Coordinator, FleetFixture } from "./testing/fleet-fixture.ts";

const SSH = { hostKey: "key", hostCertificate: "certificate", clientKey: "client" };
const OTHER_ID = "0".repeat(32);

let fixture: FleetFixture;
let coordinator: Coordinator;
beforeAll(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
});
afterAll(() => fixture.close());

/** A node with a shell that is up. */
async function nodeWithShell(nodeId: string) {
  const agent = fixture.agent(coordinator, nodeId);
  await agent.hello();
  const shell = ready(placed(aShell({ runSince: Date.now() }), nodeId), Date.now());
  const assignment = aShellAssignment(shell, nodeId);
  await coordinator.store.commit([create("shells", shell), create("assignments", assignment)]);
  const openSsh = () => coordinator.fleet.tunnels.openSsh(assignment.id, SSH, AbortSignal.timeout(30_000));
  return { agent, assignmentId: assignment.id, openSsh };
}

async function readText(socket: NodeJS.ReadableStream): Promise<string> {
  return String((await once(socket, "data"))[0]);
}

async function evict(nodeId: string): Promise<void> {
  const node = await coordinator.store.get("nodes", nodeId);
  if (node === null) throw new Error(`there is no node ${nodeId}`);
  await coordinator.store.commit([replace("nodes", node, evicted(node.value, Date.now()))]);
}

describe.each(["plain", "tls"] as const)("a connection to an sshd, %s", (over) => {
  const lineOf = (tunnelId: string) =>
    over === "plain" ? `SSH-2.0-elastic_tunnel ${tunnelId}\r\n` : `elastic-tunnel ${tunnelId}\n`;
  const nodeId = (name: string) => `node-${over}-${name}`;

  /** Opens one that stands. */
  async function opened(name: string) {
    const { agent, openSsh } = await nodeWithShell(nodeId(name));
    const opening = openSsh();
    const { tunnelId } = await agent.next("openTunnel");
    const end = agent.dial(over);
    end.write(lineOf(tunnelId));
    const socket = await opening;
    if (over === "plain") expect(await readText(end)).toBe("\n");
    return { agent, end, socket };
  }

  test("says what is wanted, and carries bytes both ways as they are, from the first on", async () => {
    const { agent, assignmentId, openSsh } = await nodeWithShell(nodeId("first"));
    const opening = openSsh();
    const wanted = await agent.next("openTunnel");
    expect(wanted).toMatchObject({ assignmentId, kind: { $case: "ssh", value: SSH } });
    const end = agent.dial(over);
    end.write(`${lineOf(wanted.tunnelId)}SSH-2.0-x`);
    const socket = await opening;
    expect(await readText(socket)).toBe("SSH-2.0-x");
    socket.write("back");
    let received = "";
    end.on("data", (bytes) => (received += bytes));
    await expect.poll(() => received).toBe(over === "plain" ? "\nback" : "back");
    socket.destroy();
    await once(end, "close");
  });

  test("is given for no other line, once, and for no tunnel of another kind", async () => {
    const { agent, assignmentId, openSsh } = await nodeWithShell(nodeId("lines"));
    const opening = openSsh();
    const { tunnelId } = await agent.next("openTunnel");
    const exec = { kind: "exec", command: "ls", terminal: null, env: {} } as const;
    const other = coordinator.fleet.tunnels.open(assignmentId, exec, AbortSignal.timeout(30_000));
    const { tunnelId: otherId } = await agent.next("openTunnel");
    const wrong = [lineOf(otherId), lineOf(OTHER_ID), "x".repeat(80), "GET / HTTP/1.1\r\n\r\n".repeat(9)];
    const isDropped = async (line: string) => {
      const end = agent.dial(over).resume();
      end.write(line);
      await once(end, "close");
    };
    for (const line of wrong) await isDropped(line);
    const call = agent.bulk.tunnel().resume();
    call.write({ message: { $case: "opened", value: { tunnelId } } });
    expect(await once(call, "error")).toMatchObject([{ code: status.NOT_FOUND }]);
    agent.dial(over).write(lineOf(tunnelId));
    const socket = await opening;
    await isDropped(lineOf(tunnelId));
    socket.destroy();
    agent.bulk.tunnel().write({ message: { $case: "failed", value: { tunnelId: otherId, message: "over" } } });
    await expect(other).rejects.toThrow("over");
  });

  test("is cut at once when its node is evicted, without the grace of a lost link", async () => {
    const { end, socket } = await opened("evicted");
    const cut = Promise.all([once(end.resume(), "close"), once(socket.resume(), "close")]);
    await evict(nodeId("evicted"));
    const evictedAt = performance.now();
    await cut;
    expect(performance.now() - evictedAt).toBeLessThan(TUNNEL_LINK_GRACE_MS - 1_000);
  });

  test("is cut within five seconds when its node loses its link for good", async () => {
    const { agent, end, socket } = await opened("unlinked");
    const cut = Promise.all([once(end.resume(), "close"), once(socket.resume(), "close")]);
    const endedAt = performance.now();
    agent.close();
    await cut;
    expect(performance.now() - endedAt).toBeLessThan(5_000);
  });
});

test("is given to no other node over TLS that knows its id", async () => {
  const { agent, openSsh } = await nodeWithShell("node-robbed");
  const thief = fixture.agent(coordinator, "node-thief");
  await thief.hello({ slots: 0 });
  const opening = openSsh();
  const { tunnelId } = await agent.next("openTunnel");
  const taken = thief.dial("tls").resume();
  taken.write(`elastic-tunnel ${tunnelId}\n`);
  await once(taken, "close");
  agent.dial("tls").write(`elastic-tunnel ${tunnelId}\n`);
  (await opening).destroy();
});

test("an sshd that an agent cannot open, also one that knows of none, is not there", async () => {
  const { agent, openSsh } = await nodeWithShell("node-too-old");
  const opening = openSsh();
  const { tunnelId } = await agent.next("openTunnel");
  agent.bulk.tunnel().write({ message: { $case: "failed", value: { tunnelId, message: "is too old for this" } } });
  await expect(opening).rejects.toThrow("is too old for this");
});

test("who says nothing to the port is dropped, and does not keep a coordinator from stopping", async () => {
  const second = await fixture.coordinator();
  const agent: FakeAgent = fixture.agent(second, "node-silent");
  const silent = agent.dial("plain").resume();
  await once(silent, "connect");
  const dropped = once(silent, "close");
  await second.stop();
  await dropped;
});
