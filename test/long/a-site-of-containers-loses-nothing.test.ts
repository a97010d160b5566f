/**
 * deploy/compose with a real engine: up by one command, a verified proof, a coordinator, a member of etcd and PostgreSQL killed one
 * after another under load, and down without a trace. The coordinators are the image that is shipped; the images of others are
 * stand-ins with the same programs.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setDefaultCACertificates } from "node:tls";
import { agentProgram, agentReady, enrollAgent } from "@elastic/deploy/local/agent.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { verifyProof } from "@elastic/deploy/local/verify-proof.ts";
import { expect, test } from "vitest";
import { type ApiClient, apiClient } from "../cluster/api-client.ts";
import { openClientHistory } from "../cluster/checker/client-history.ts";
import { recordingClient } from "../cluster/checker/recording-client.ts";
import { startOwnEngine, whyNoEngineHere } from "../cluster/engine.ts";
import { programPath } from "../cluster/machine.ts";
import { startPart } from "../cluster/part.ts";
import { prepareSite, type SiteOfContainers } from "../cluster/site-of-containers.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { type Load, startLoad } from "../scenario/load.ts";
import { CLAIM, INPUT } from "../system/statement.ts";

const noEngine = await whyNoEngineHere();
const VICTIMS = ["coordinator-1", "etcd-1", "postgres", "coordinator-2", "etcd-2"];
const CALLERS = 4;
/** Tasks that have to end before the first kill, and after each. */
const TASKS = 20;
const TASKS_TIMEOUT_MS = 120_000;
const AGENT_TIMEOUT_MS = 60_000;
const SETTINGS = {
  ELASTIC_BUILTIN_TEST_PROVERS: "1",
  // Tasks move to PostgreSQL while it is killed.
  ELASTIC_ARCHIVE_AFTER: "5",
  ELASTIC_SHUTDOWN_DELAY: "0",
};

/** A machine that joins by the pasted line. */
async function startMachine(site: SiteOfContainers, folder: string) {
  const stateDir = join(folder, "agent");
  const line = await site.run("coordinator", "token", "create", "--node", "machine-1");
  await enrollAgent(line.trim(), { stateDir, path: programPath() });
  const place = { name: "agent", coordinators: [], tls: null, stateDir, engineSocket: null, metricsPort: 0 };
  const settings = { ELASTIC_BUILTIN_TEST_PROVERS: "1", ELASTIC_SLOTS: "2" };
  const agent = { ...place, logFile: join(folder, "agent.log"), path: programPath(), settings };
  return await startPart({
    program: () => agentProgram(agent),
    becomesReady: (child) => agentReady(child, AGENT_TIMEOUT_MS),
  });
}

/** Resolves once that many more tasks have ended than now. */
async function workRuns(load: Load): Promise<void> {
  const before = load.ended().length;
  const look = () => load.ended().length >= before + TASKS || undefined;
  await until("tasks to end", look, { timeoutMs: TASKS_TIMEOUT_MS });
}

/** By the checker as a program: what clients saw, and what the site exports. */
async function judge(client: ApiClient, folder: string, history: string): Promise<string> {
  const exported = join(folder, "tasks.json");
  writeFileSync(exported, (await client.call("/v1/tasks/export?format=json")).text);
  const args = [inRepository("test", "checker", "main.ts"), history, exported];
  return execFileSync(process.execPath, args, { encoding: "utf8" });
}

test.skipIf(noEngine !== null)(
  "loses nothing while its parts are killed, and leaves nothing",
  {
    timeout: 1_800_000,
  },
  async () => {
    await using parts = new AsyncDisposableStack();
    const folder = parts.use(makeWorkFolder()).path;
    const engine = parts.use(await startOwnEngine());
    const site = await prepareSite(engine.socket, folder, SETTINGS);
    // Of a run that failed: the engine would leave networks on this machine.
    parts.defer(async () => {
      if (existsSync(join(site.folder, "site.env"))) await site.run("down", "--data");
    });
    await site.run("up", "--host", "localhost", "--registry", "images.test");
    setDefaultCACertificates([readFileSync(join(site.folder, "site-ca.crt"), "utf8")]);
    expect(await site.run("coordinator", "doctor")).not.toMatch(/^(fail|warn)/m);

    const made = await site.run("coordinator", "bootstrap", "--user", "ada", "--team", "research", "--json");
    const { key } = JSON.parse(made) as { readonly key: string };
    const client = apiClient({ url: "https://localhost", key });
    const agent = parts.use(await startMachine(site, folder));
    const prover = await client.readyService("poseidon", { image: "builtin:poseidon", scaling: { min: 1, max: 1 } });
    const proof = await client.prove(prover.service_id, INPUT);
    expect(proof).toMatchObject({ state: "SUCCESS" });
    expect(await verifyProof(proof.result ?? "", CLAIM)).toBe(true);
    await client.deleteServices();

    const service = await client.readyService("load", { image: "builtin:sleep", scaling: { min: 2, max: 2 } });
    const historyFile = join(folder, "client-history.jsonl");
    const recorder = recordingClient(() => client, openClientHistory(historyFile));
    const input = () => '{"ms":50}';
    const load = startLoad({ callers: CALLERS, serviceId: service.service_id, recorder, input });
    await workRuns(load);
    for (const victim of VICTIMS) {
      await site.crash(victim);
      await workRuns(load);
    }
    const tasks = await load.stop(TASKS_TIMEOUT_MS);
    expect(tasks.length).toBeGreaterThan(TASKS * VICTIMS.length);
    expect(tasks.filter(({ state }) => state !== "SUCCESS")).toEqual([]);
    expect(await judge(client, folder, historyFile)).toMatch(/lost.*\d/);

    await agent.stop();
    await site.run("down");
    expect((await site.traces()).filter((name) => name.includes("postgres"))).toEqual(["elastic_postgres"]);
    await site.run("up");
    expect(await client.task(proof.task_id)).toMatchObject({ state: "SUCCESS", result: proof.result });
    await site.run("down", "--data");
    expect(await site.traces()).toEqual([]);
    expect(existsSync(site.folder)).toBe(false);
  },
);
