/** The agent as a process: its start, its death, and what it remembers of the life before. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { afterAll, afterEach, expect, test } from "vitest";
import { doctor } from "./commands/doctor.ts";
import { status } from "./commands/status.ts";
import { agentEnv, MAIN, spawnAgent } from "./testing/agent-process.ts";
import { makeTestCa } from "./testing/certificates.ts";
import { eventually } from "./testing/eventually.ts";
import { assignmentOf, startOf } from "./testing/orders.ts";
import { resultText } from "./testing/outcomes.ts";
import { removeTemporaryFolders, temporaryFolder } from "./testing/temporary-folder.ts";
import { TestFleet } from "./testing/test-fleet.ts";

const fleet = new TestFleet();
afterEach(() => fleet.end());
afterAll(removeTemporaryFolders);

test("an outcome that nobody acknowledged outlives the agent and is reported by the next", async () => {
  const stateDir = join(temporaryFolder(), "state");
  const silent = await fleet.coordinator({ acknowledges: false });
  const env = agentEnv(fleet.ca.node("n1"), silent.address, stateDir);
  const first = fleet.agentProcess(env);
  await silent.linked();
  silent.assign([assignmentOf("builtin:echo")]);
  await silent.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  const [short, long] = [startOf("[1]"), startOf(`["${"x".repeat(10_000)}"]`)];
  silent.start([short, long]);
  const spool = join(stateDir, "spool");
  await eventually("both outcomes on disk", () => {
    const names = existsSync(spool) ? readdirSync(spool) : [];
    return names.filter((name) => name.endsWith(".outcome")).length === 2 || undefined;
  });
  await first.kill();
  silent.kill();

  const next = await fleet.coordinator();
  fleet.agentProcess({ ...env, ELASTIC_COORDINATORS: next.address });
  const hello = await next.linked();
  expect(hello.attempts.map((attempt) => attempt.taskId).sort()).toEqual([short.taskId, long.taskId].sort());
  expect(hello.sessionId).not.toBe(silent.hellos[0]?.sessionId);
  expect(resultText(await next.report(short.taskId))).toBe("[1]");
  expect((await next.report(long.taskId)).outcome?.$case).toBe("succeeded");
  expect(next.uploads.get(long.taskId)?.length).toBe(10_004);
  await eventually("an empty spool", () => readdirSync(spool).length === 0 || undefined);
});

test("logs why an agent stops on its own error", async () => {
  const coordinator = await fleet.coordinator();
  const env = agentEnv(fleet.ca.node("n1"), coordinator.address, join(temporaryFolder(), "state"));
  const fault = 'process.on("SIGUSR2", () => { throw new Error("odd"); });';
  const agent = fleet.agentProcess({
    ...env,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
  });
  await agent.line("ready");
  await agent.kill("SIGUSR2");
  expect(await agent.line(/must be started again/)).toMatchObject({ level: 60, err: { message: "odd" } });
});

test("a spooled outcome that was damaged is set aside and not believed", async () => {
  const stateDir = join(temporaryFolder(), "state");
  const spool = join(stateDir, "spool");
  mkdirSync(spool, { recursive: true });
  writeFileSync(join(spool, "t-1-1-1.outcome"), "EPSO????not an outcome");
  const coordinator = await fleet.coordinator();
  fleet.agentProcess(agentEnv(fleet.ca.node("n1"), coordinator.address, stateDir));
  expect((await coordinator.linked()).attempts).toEqual([]);
  expect(readdirSync(spool)).toEqual(["t-1-1-1.broken"]);
});

test("without a coordinator the agent keeps trying and says when it will next", async () => {
  const agent = fleet.agentProcess(agentEnv(fleet.ca.node("n1"), "127.0.0.1:1", join(temporaryFolder(), "state")));
  await agent.line("ready");
  await agent.line(/coordinator does not respond; retrying in \d+\.\d s/);
});

test("its children die with an agent that is killed", async () => {
  const coordinator = await fleet.coordinator();
  const agent = fleet.agentProcess(
    agentEnv(fleet.ca.node("n1"), coordinator.address, join(temporaryFolder(), "state")),
  );
  await coordinator.linked();
  coordinator.assign([assignmentOf("builtin:sleep")]);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  coordinator.start([startOf('{"ms":600000}')]);
  const children = await eventually("the kernel host", () => {
    const all = descendants(agent.pid);
    return all.length > 0 ? all : undefined;
  });
  await agent.kill();
  await eventually("their end", () => children.every((pid) => !existsSync(`/proc/${pid}`)) || undefined);
});

test("on SIGTERM it ends what it runs and leaves", async () => {
  const coordinator = await fleet.coordinator();
  const agent = fleet.agentProcess(
    agentEnv(fleet.ca.node("n1"), coordinator.address, join(temporaryFolder(), "state")),
  );
  await coordinator.linked();
  coordinator.assign([assignmentOf("builtin:noop")]);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  await agent.kill("SIGTERM");
  await agent.line("stopped");
});

test("prints the status of the running agent, and that none runs", async () => {
  const coordinator = await fleet.coordinator();
  const env = agentEnv(fleet.ca.node("n1"), coordinator.address, join(temporaryFolder(), "state"));
  expect(await status(env, { json: true })).toEqual({ text: '{"running":false}', running: false });
  const agent = fleet.agentProcess(env);
  await agent.line("linked");
  const { text } = await status(env, { json: true });
  const link = { address: coordinator.address, coordinatorId: "c1", up: true, whyDown: null };
  expect(JSON.parse(text)).toMatchObject({ running: true, nodeId: "n1", sandbox: "bubblewrap", links: [link] });
  expect((await status(env, { json: false })).text).toMatch(/^node +n1$/m);
  coordinator.kill();
  await eventually(
    "the reason why the link is down",
    async () => /^link +127\.0\.0\.1:\d+ down: \S/m.test((await status(env, { json: false })).text) || undefined,
  );
});

test("a second agent with the same state directory refuses to start", async () => {
  const coordinator = await fleet.coordinator();
  const env = agentEnv(fleet.ca.node("n1"), coordinator.address, join(temporaryFolder(), "state"));
  await fleet.agentProcess(env).line("linked");
  const second = spawnAgent(env);
  await eventually("its end", () => !existsSync(`/proc/${second.pid}/exe`) || undefined);
  expect(second.logged).toEqual([]);
});

test("an agent whose metrics have no place to listen says which setting to change, and ends", async () => {
  const { address } = await fleet.coordinator();
  const env = {
    ...agentEnv(fleet.ca.node("n1"), address, join(temporaryFolder(), "state")),
    ELASTIC_FFI_LIBRARY: "",
    ELASTIC_METRICS_LISTEN: address,
  };
  await expect(promisify(execFile)(process.execPath, [MAIN, "run"], { env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`ELASTIC_METRICS_LISTEN names ${address}, and another program listens there: stop`),
  });
});

test("doctor finds a machine that can run the agent healthy", async () => {
  const coordinator = await fleet.coordinator();
  const env = agentEnv(fleet.ca.node("n1"), coordinator.address, join(temporaryFolder(), "state"));
  const { text, healthy } = await doctor(env, { json: false });
  expect(text).toMatch(/^ok +certificate +node n1/m);
  expect(text).toMatch(/^ok +coordinator +127\.0\.0\.1:\d+ responds/m);
  expect(healthy).toBe(true);
});

test("doctor says what to do about each thing that is wrong", async () => {
  const tls = fleet.ca.node("n1");
  const strange = makeTestCa(join(temporaryFolder(), "other-ca"));
  const env = agentEnv({ ...tls, caFile: strange.node("n2").caFile }, "127.0.0.1:1", join(temporaryFolder(), "state"));
  const { text, healthy } = await doctor(
    { ...env, ELASTIC_ENGINE_SOCKET: "/nowhere/engine.sock", ELASTIC_FFI_LIBRARY: "/nowhere/lib.so" },
    { json: true },
  );
  const failed = (JSON.parse(text) as { checks: { name: string; level: string; remedy: string }[] }).checks.filter(
    (check) => check.level === "fail",
  );
  expect(failed.map((check) => check.name)).toEqual(["certificate", "engine", "builtin"]);
  expect(failed.every((check) => check.remedy !== "")).toBe(true);
  expect(healthy).toBe(false);
});

function descendants(pid: number): readonly number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid);
  return [...children, ...children.flatMap(descendants)];
}

function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return null;
  }
}
