/** A real coordinator, a real program as the pool's driver, and real agents that enroll with the pool's token. */
import { execFile } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type AgentStarted, agentProgram, agentReady } from "@elastic/deploy/local/agent.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { programPath } from "../cluster/machine.ts";
import { type Part, startPart } from "../cluster/part.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";

const NO_FILES = { ca: "", cert: "", key: "" };
const POLL = { timeout: 120_000, interval: 500 };
const POOL = {
  max: 2,
  cooldown_seconds: 30,
  boot_seconds: 300,
  cost_per_hour: 1,
  offer: { cpu_cores: 1, memory_bytes: 2 ** 33, slots: 1, containers: false, builtin_provers: ["sleep"] },
  driver: { kind: "command", name: "cloud" },
};

/** Notes what it is called for; the first call of each request fails after the note, as one whose response is lost. */
const driver = (folder: string) => `#!/bin/sh
set -eu
id=$(sed 's/.*"request_id":"\\([0-9a-f]*\\)".*/\\1/')
echo "$1" >> "${folder}/calls-$id"
[ "$(grep -c "$1" "${folder}/calls-$id")" -gt 1 ] || exit 1
echo "{\\"machine\\":\\"m-$id\\"}"
`;

test("a task that fits nowhere gets a machine, once though its driver is called twice", async () => {
  using work = makeWorkFolder();
  const program = join(work.path, "driver");
  writeFileSync(program, driver(work.path));
  chmodSync(program, 0o755);
  const [grpc, enroll] = [await freePort(), await freePort()];
  await using cluster = await startCluster({
    agents: 0,
    coordinatorSettings: {
      ELASTIC_TLS_CA: "",
      ELASTIC_TLS_CERT: "",
      ELASTIC_TLS_KEY: "",
      ELASTIC_GRPC_LISTEN: `127.0.0.1:${grpc}`,
      ELASTIC_ENROLL_LISTEN: `127.0.0.1:${enroll}`,
      ELASTIC_POOL_COMMANDS: `cloud=${program}`,
    },
  });
  await using agents = new AsyncDisposableStack();
  const client = cluster.client();
  const call = async (method: string, path: string, body?: object): Promise<Shown> => {
    const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const { status, text, json } = await client.call(path, { method, ...sent });
    expect([path, status, text]).toEqual([path, expect.toSatisfy((one: number) => one < 300), text]);
    return json as Shown;
  };
  await call("PUT", "/v1/pools/cpu", POOL);
  const { command } = await call("POST", "/v1/pools/cpu/tokens", {});

  const scaling = { min: 0, max: 1, idle_timeout_seconds: 10 };
  const deploying = client.readyService("sleep", { image: "builtin:sleep", scaling });
  const requests = () => readdirSync(work.path).filter((name) => name.startsWith("calls-"));
  await expect.poll(requests, POLL).toHaveLength(1);
  const name = requests()[0]?.replace("calls-", "m-") ?? "";
  await expect.poll(() => call("GET", "/v1/pools/cpu").then(({ items }) => items[0]?.machine), POLL).toBe(name);
  agents.use(await startMachine(cluster, { command, name, folder: work.path }));
  const service = await deploying;
  const task = await client.prove(service.service_id, '{"ms":100}');
  expect(task.state).toBe("SUCCESS");
  const held = { machines: 1, items: [{ node_id: name, requested_by_pool: true }] };
  expect(await call("GET", "/v1/pools/cpu")).toMatchObject(held);
  expect(readFileSync(join(work.path, requests()[0] ?? ""), "utf8")).toBe("grow\ngrow\n");
});

interface Shown {
  readonly command: string;
  readonly items: readonly { readonly machine: string | null; readonly state: string }[];
}

/** Enrolls by the pool's line, and runs its agent. */
async function startMachine(
  { folder }: Cluster,
  given: { readonly command: string; readonly name: string; readonly folder: string },
): Promise<Part<AgentStarted>> {
  const stateDir = join(given.folder, "state");
  const env = { ELASTIC_STATE_DIR: stateDir, ELASTIC_ACCEL_LIBRARY: "none", PATH: programPath() };
  const program = `${process.execPath} ${inRepository("agent", "main.ts")}`;
  const line = given.command.replace(" elastic-agent ", ` ${program} `);
  await promisify(execFile)("/bin/sh", ["-c", `${line} --node ${given.name}`], { env, timeout: 60_000 });
  expect(existsSync(stateDir)).toBe(true);
  return await startPart<AgentStarted>({
    program: () =>
      agentProgram({
        name: "machine",
        coordinators: [],
        tls: NO_FILES,
        stateDir,
        engineSocket: null,
        metricsPort: 0,
        logFile: join(folder, "machine.log"),
        path: programPath(),
        settings: { ELASTIC_BUILTIN_TEST_PROVERS: "1", ELASTIC_SLOTS: "1" },
      }),
    becomesReady: (child) => agentReady(child, 60_000),
  });
}
