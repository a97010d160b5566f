import { once } from "node:events";
import { newId } from "@elastic/std/ids.ts";
import { status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { placed, ready } from "../domain/shell.ts";
import { anAssignment, aShell, aShellAssignment } from "../domain/testing/records.ts";
import { create } from "../store/change.ts";
import { type ExecTunnel, TunnelError, type TunnelStream } from "../tunnels/tunnels.ts";
import { TUNNELS_PER_NODE_MAX } from "./limits.ts";
import type { FakeAgent } from "./testing/fake-agent.ts";
import type { TunnelEnd } from "./testing/fake-bulk.ts";
import { type Coordinator, FleetFixture } from "./testing/fleet-fixture.ts";
import { stays } from "./testing/stays.ts";

const EXEC: ExecTunnel = { kind: "exec", command: "ls", terminal: null, env: { LANG: "C" } };
const PIECE = Buffer.alloc(64 * 1024, "x");

let fixture: FleetFixture;
let coordinator: Coordinator;
let agent: FakeAgent;
let assignmentId: string;

beforeAll(async () => {
  fixture = await FleetFixture.open();
  coordinator = await fixture.coordinator();
  agent = fixture.agent(coordinator, "node-a");
  await agent.hello();
  assignmentId = await assign("node-a");
});
afterAll(() => fixture.close());

/** A shell that is up on that node, and whose run has just begun. */
async function assign(nodeId: string): Promise<string> {
  const shell = ready(placed(aShell({ runSince: Date.now() }), nodeId), Date.now());
  const assignment = aShellAssignment(shell, nodeId);
  await coordinator.store.commit([create("shells", shell), create("assignments", assignment)]);
  return assignment.id;
}

async function opened(kind = EXEC): Promise<{ readonly tunnel: TunnelStream; readonly end: TunnelEnd }> {
  const opening = coordinator.fleet.tunnels.open(assignmentId, kind, AbortSignal.timeout(10_000));
  const { tunnelId } = await agent.next("openTunnel");
  const end = agent.bulk.tunnel();
  end.write({ message: { $case: "opened", value: { tunnelId } } });
  return { tunnel: await opening, end };
}

async function outputOf(tunnel: TunnelStream): Promise<string> {
  let all = "";
  for await (const { of, bytes } of tunnel.output) all += `${of}:${bytes} `;
  return all;
}

describe("a tunnel", () => {
  test("says what is wanted, and carries input, output, errors and the end", async () => {
    const opening = coordinator.fleet.tunnels.open(assignmentId, EXEC, AbortSignal.timeout(10_000));
    const wanted = await agent.next("openTunnel");
    expect(wanted).toMatchObject({
      assignmentId,
      kind: { $case: "exec", value: { command: "ls", env: { LANG: "C" } } },
    });
    const end = agent.bulk.tunnel();
    end.write({ message: { $case: "opened", value: { tunnelId: wanted.tunnelId } } });
    const tunnel = await opening;
    const down: string[] = [];
    end.on("data", ({ message }) => void down.push(message?.$case ?? ""));
    await tunnel.write(Buffer.from("in"));
    tunnel.resize({ columns: 80, rows: 24 });
    tunnel.signal("INT");
    tunnel.endInput();
    await expect.poll(() => down).toEqual(["stdin", "resize", "signal", "stdinEnd"]);
    end.write({ message: { $case: "stdout", value: Buffer.from("out") } });
    end.write({ message: { $case: "stderr", value: Buffer.from("err") } });
    end.write({ message: { $case: "exit", value: { code: 3 } } });
    expect(await outputOf(tunnel)).toBe("stdout:out stderr:err ");
    expect(await tunnel.exit).toBe(3);
  });

  test("makes the agent wait while nobody reads, and loses nothing", async () => {
    const { tunnel, end } = await opened();
    let sent = 0;
    const send = async () => {
      for (; sent < 800; sent++)
        if (!end.write({ message: { $case: "stdout", value: PIECE } })) await once(end, "drain");
      end.write({ message: { $case: "exit", value: { code: 0 } } });
    };
    void send();
    // What fills on the way is far less than what is to be sent.
    expect(await stays(() => sent)).toBeLessThan(200);
    let read = 0;
    for await (const { bytes } of tunnel.output) read += bytes.length;
    expect([read, sent]).toEqual([800 * PIECE.length, 800]);
  });

  test("makes its writer wait while the agent does not read", async () => {
    const { tunnel, end } = await opened();
    end.once("data", () => end.pause());
    let taken = 0;
    const write = async () => {
      for (; taken < 800; taken++) await tunnel.write(PIECE);
    };
    void write();
    expect(await stays(() => taken)).toBeLessThan(200);
    end.on("data", () => undefined);
    end.resume();
    await expect.poll(() => taken, { timeout: 20_000 }).toBe(800);
    end.cancel();
    await expect(tunnel.exit).rejects.toThrow("lost");
  });

  test("ends with a sentence when the agent dies, also for whoever waits for output", async () => {
    const { tunnel, end } = await opened();
    const output = outputOf(tunnel);
    end.cancel();
    await expect(output).rejects.toThrow("the connection to the shell's machine was lost");
    await expect(tunnel.exit).rejects.toThrow(TunnelError);
  });

  test("that its agent ends for another reason than the program's says which, after all output", async () => {
    const { tunnel, end } = await opened();
    end.write({ message: { $case: "stdout", value: Buffer.from("out") } });
    end.write({ message: { $case: "failed", value: { tunnelId: "", message: "its container has ended" } } });
    const read: string[] = [];
    const reading = (async () => {
      for await (const { bytes } of tunnel.output) read.push(bytes.toString());
    })();
    await expect(reading).rejects.toThrow("its container has ended");
    expect(read).toEqual(["out"]);
    await expect(tunnel.exit).rejects.toThrow(TunnelError);
  });

  test("on which its agent sends what no tunnel carries ends for both, with the reason", async () => {
    const { tunnel, end } = await opened();
    const failure = once(end.resume(), "error");
    end.write({ message: { $case: "opened", value: { tunnelId: "again" } } });
    await expect(outputOf(tunnel)).rejects.toThrow("sent what no tunnel carries");
    expect(await failure).toMatchObject([{ code: status.INVALID_ARGUMENT }]);
    await expect(tunnel.exit).rejects.toThrow(TunnelError);
  });

  test("that is closed here ends at the agent", async () => {
    const { tunnel, end } = await opened();
    end.resume();
    tunnel.close();
    await once(end, "end");
    await tunnel.write(PIECE);
  });
});

describe("there is no tunnel", () => {
  const open = (id: string) => coordinator.fleet.tunnels.open(id, EXEC, AbortSignal.timeout(10_000));

  test("without an assignment, to one that is no shell's, or to a node without a link", async () => {
    await expect(open(newId(1))).rejects.toThrow("the shell is not running");
    await expect(open(await assign("node-away"))).rejects.toThrow("the shell's machine is not connected");
    const ofService = anAssignment({ id: newId(1), serviceId: newId(1) }, "node-a");
    const opening = coordinator.store.commit([create("assignments", ofService)]).then(() => open(ofService.id));
    await expect(opening).rejects.toThrow("the shell is not running");
  });

  test("that the agent could not open: its message is passed on", async () => {
    const opening = open(assignmentId);
    const { tunnelId } = await agent.next("openTunnel");
    agent.bulk
      .tunnel()
      .write({ message: { $case: "failed", value: { tunnelId, message: "its container is not running" } } });
    await expect(opening).rejects.toThrow("its container is not running");
  });

  test("for a node that received no request, nor twice of one id", async () => {
    const thief = fixture.agent(coordinator, "node-thief");
    await thief.hello({ slots: 0 });
    const opening = open(assignmentId);
    const { tunnelId } = await agent.next("openTunnel");
    const says = async (who: FakeAgent) => {
      const end = who.bulk.tunnel().resume();
      end.write({ message: { $case: "opened", value: { tunnelId } } });
      const [error] = (await once(end, "error")) as [{ code: number }];
      return error.code;
    };
    expect(await says(thief)).toBe(status.NOT_FOUND);
    const end = agent.bulk.tunnel();
    end.write({ message: { $case: "opened", value: { tunnelId } } });
    const tunnel = await opening;
    expect(await says(agent)).toBe(status.NOT_FOUND);
    tunnel.close();
  });

  test("when the requester has gone", async () => {
    const gone = new AbortController();
    const opening = coordinator.fleet.tunnels.open(assignmentId, EXEC, gone.signal);
    gone.abort(new Error("gone"));
    await expect(opening).rejects.toThrow("gone");
    await agent.next("openTunnel");
  });
});

test("one shell that opens all that it may leaves its machine's other shells room", async () => {
  const crowded = fixture.agent(coordinator, "node-crowded");
  await crowded.hello();
  const [greedy, other] = [await assign("node-crowded"), await assign("node-crowded")];
  const gone = new AbortController();
  const open = (id: string) => coordinator.fleet.tunnels.open(id, EXEC, gone.signal);
  const all = Promise.allSettled(Array.from({ length: TUNNELS_PER_NODE_MAX }, () => open(greedy)));
  await expect(open(greedy)).rejects.toThrow("too many sessions are open in this shell");
  const opening = open(other);
  for (;;) if ((await crowded.next("openTunnel")).assignmentId === other) break;
  gone.abort(new Error("gone"));
  await expect(opening).rejects.toThrow("gone");
  const waited = (await all).filter((one) => one.status === "rejected" && one.reason.message === "gone");
  expect(waited).toHaveLength(TUNNELS_PER_NODE_MAX / 2);
});

test("a node that loses its link for good loses its tunnels within five seconds, and those that were on their way", async () => {
  const { tunnel, end } = await opened();
  end.on("error", () => undefined);
  const opening = coordinator.fleet.tunnels.open(assignmentId, EXEC, AbortSignal.timeout(30_000));
  await agent.next("openTunnel");
  const endedAt = performance.now();
  agent.close();
  await expect(opening).rejects.toThrow("the shell's machine is not connected any more");
  await expect(outputOf(tunnel)).rejects.toThrow(TunnelError);
  expect(performance.now() - endedAt).toBeLessThan(5_000);
});
