/**
 * A cluster whose coordinators have an authority of their own, and agents that join it as machines do: by the line that
 * `elastic-coordinator token create` prints, each in its own network.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AgentStarted } from "@elastic/deploy/local/agent.ts";
import { agentProgram, agentReady } from "@elastic/deploy/local/agent.ts";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { lineWithMessage } from "@elastic/deploy/local/json-line.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { programPath } from "./machine.ts";
import { type NetworkMachine, startNetworkMachine } from "./network-machine.ts";
import { type Part, startPart } from "./part.ts";
import { makeWorkFolder } from "./work-folder.ts";

const START_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 30_000;
const NO_FILES = { ca: "", cert: "", key: "" };

export interface EnrolledFleet extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly machines: readonly NetworkMachine[];
  /** What the operator's command prints. */
  token(...options: readonly string[]): Promise<string>;
  /** Pastes the line on the machine; rejects with the agent's message when it is rejected. */
  paste(machine: NetworkMachine, line: string, stateName: string): Promise<string>;
  /** The agent of the machine, linked. */
  start(machine: NetworkMachine, stateName: string): Promise<Part<AgentStarted>>;
}

export async function startEnrolledFleet(options: {
  readonly machines: number;
  readonly certificateSeconds: number;
}): Promise<EnrolledFleet> {
  const parts = new AsyncDisposableStack();
  try {
    return await assemble(options, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function assemble(
  options: { readonly machines: number; readonly certificateSeconds: number },
  parts: AsyncDisposableStack,
): Promise<EnrolledFleet> {
  const folder = parts.use(makeWorkFolder()).path;
  const machines: NetworkMachine[] = [];
  // Before the coordinator, whose certificate names the addresses that there are.
  for (let index = 0; index < options.machines; index += 1) {
    machines.push(parts.use(await startNetworkMachine(folder)));
  }
  const host = machines[0]?.hostAddress ?? "127.0.0.1";
  const [grpc, enroll] = [await freePort(), await freePort()];
  const cluster = parts.use(
    await startCluster({
      agents: 0,
      coordinatorSettings: {
        ELASTIC_TLS_CA: "",
        ELASTIC_TLS_CERT: "",
        ELASTIC_TLS_KEY: "",
        ELASTIC_GRPC_LISTEN: `0.0.0.0:${grpc}`,
        ELASTIC_GRPC_ADVERTISE: `${host}:${grpc}`,
        ELASTIC_ENROLL_LISTEN: `0.0.0.0:${enroll}`,
        ELASTIC_CERTIFICATE_LIFE: String(options.certificateSeconds),
      },
    }),
  );
  const stateDir = (name: string) => join(folder, `${name}-state`);
  return {
    cluster,
    machines,
    async token(...more) {
      const env = {
        ...COMPILE_CACHE,
        PATH: programPath(),
        ELASTIC_ETCD: cluster.etcd.endpoint,
        ELASTIC_ENROLL_ADVERTISE: `${host}:${enroll}`,
      };
      const args = [inRepository("coordinator", "main.ts"), "token", "create", ...more];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: COMMAND_TIMEOUT_MS });
      return stdout.trim();
    },
    async paste(machine, line, stateName) {
      const pasted = line.replace(" elastic-agent ", ` ${process.execPath} ${inRepository("agent", "main.ts")} `);
      if (pasted === line) throw new Error(`not a line to paste: ${line}`);
      const env = { ELASTIC_STATE_DIR: stateDir(stateName), ELASTIC_ACCEL_LIBRARY: "none" };
      return await machine.run("/bin/sh", ["-c", pasted], env);
    },
    async start(machine, stateName) {
      const part = await startPart<AgentStarted>({
        program: () =>
          machine.inside(
            agentProgram({
              name: stateName,
              coordinators: [],
              tls: NO_FILES,
              stateDir: stateDir(stateName),
              engineSocket: null,
              metricsPort: 0,
              logFile: join(folder, `${stateName}.log`),
              path: programPath(),
              settings: { ELASTIC_BUILTIN_TEST_PROVERS: "1", ELASTIC_SLOTS: "2" },
            }),
          ),
        becomesReady: (child) => agentReady(child, START_TIMEOUT_MS),
      });
      parts.use(part);
      await part.child().line(lineWithMessage("linked"), START_TIMEOUT_MS);
      return part;
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
