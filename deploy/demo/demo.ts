/** The demo itself: brings the parts up, uses them as a user would, and ends them. */

import { registryHost } from "../local/registry.ts";
import { type Claim, verifyProof } from "../local/verify-proof.ts";
import { type ContainerParts, startContainerParts, startRegistry } from "./container-parts.ts";
import { demoLoginLink, startAgent, startCoordinator, startEtcd } from "./control-parts.ts";
import { removeLeftovers } from "./leftovers.ts";
import { nextCommands } from "./next-commands.ts";
import type { DemoOptions } from "./options.ts";
import { makeParts, type Parts } from "./parts.ts";
import type { Places } from "./places.ts";
import { type DemoState, writeState } from "./state-file.ts";
import { makeUser, type TaskRecord, type User } from "./user.ts";

const INPUT = {
  private_input: [1, 2],
  public_input: "7853200120776062878684798364095072458815029376092732009249414926327459813530",
};
const CLAIM: Claim = { inputs: INPUT.private_input.length, publicInput: INPUT.public_input };

type Say = (line: string) => void;

interface Outcome {
  readonly task: TaskRecord;
  readonly verified: boolean;
  readonly workload: "container" | "builtin";
  readonly seconds: { readonly setup: number; readonly ready: number; readonly proof: number };
}

/** What the demo runs in. */
export interface DemoSurroundings {
  readonly places: Places;
  /** Where programs are looked for. */
  readonly path: string;
  /** ELASTIC_EGRESS_ALLOW of the coordinator; empty for public addresses alone. */
  readonly egressAllow: string;
  /** ELASTIC_ACCEL_LIBRARY of the agent of a demo that is kept; empty for the one that it finds. */
  readonly accelLibrary: string;
  /** Aborted when the user has had enough. */
  readonly end: AbortSignal;
  readonly say: Say;
}

/** Answers the exit status. */
export async function runDemo(options: DemoOptions, surroundings: DemoSurroundings): Promise<number> {
  const { places, path, end, say } = surroundings;
  let state: DemoState = {
    url: null,
    key: null,
    console_login_url: null,
    team: null,
    service_id: null,
    metrics: { coordinator: null, agent: null },
    etcd: null,
    registry: null,
    engine: null,
    pids: {},
  };
  const learn = (news: Partial<DemoState>): void => {
    state = { ...state, ...news, pids: { supervisor: process.pid, ...parts.pids() } };
    writeState(places.state, state);
  };
  const parts = makeParts(() => learn({}), say);
  learn({});
  try {
    const outcome = await Promise.race([useIt(options, surroundings, parts, learn), aborted(end)]);
    if (outcome === null) return 130;
    tell(outcome, say);
    if (options.keep) {
      const { etcd, url } = state;
      if (etcd !== null && url !== null) learn({ console_login_url: await demoLoginLink({ path, etcd, url }) });
      say(nextCommands(places, state, { input: INPUT, taskId: outcome.task.task_id }));
      await aborted(end);
    }
    await parts.stop();
    // The last line, after everything that the end may have had to say.
    if (options.json) say(JSON.stringify(outcome));
    return outcome.verified ? 0 : 1;
  } catch (error) {
    say(`The demo failed: ${describe(error)}`);
    return 1;
  } finally {
    await parts.stop();
    await removeLeftovers(places);
  }
}

async function useIt(
  options: DemoOptions,
  { places, path, egressAllow, accelLibrary, say }: DemoSurroundings,
  parts: Parts,
  learn: (news: Partial<DemoState>) => void,
): Promise<Outcome> {
  const beganMs = performance.now();
  const etcd = await startEtcd(parts, places, path);
  learn({ etcd });
  const containers = await startContainerParts(parts, places, path, options.container);
  const engineSocket = containers?.engineSocket ?? null;
  const registry = containers === null ? null : registryHost({ port: containers.registryPort });
  learn({ registry, engine: engineSocket });
  const coordinator = await startCoordinator(parts, places, { path, etcd, registry, keep: options.keep, egressAllow });
  const { url, grpc, firstKey } = coordinator;
  if (containers !== null) await startRegistry(parts, places, { path, port: containers.registryPort, url });
  learn({
    url,
    key: firstKey.key,
    team: firstKey.teamName,
    metrics: { coordinator: coordinator.metrics, agent: null },
  });
  // One that ends after its proof would only be slowed down.
  const library = options.keep ? accelLibrary : "none";
  const agentMetrics = await startAgent(parts, places, { path, grpc, containers, accelLibrary: library });
  learn({ metrics: { coordinator: coordinator.metrics, agent: agentMetrics } });

  const user = makeUser(places, { path, engineSocket }, say);
  await user.login({ url, key: firstKey.key, team: firstKey.teamName });
  learn({ service_id: await user.createService() });
  const workload = await deployProver(user, containers, options.container, say);
  say(`The demo prover runs ${workload === "builtin" ? "builtin, without a container" : "in a container"}.`);
  const readyMs = performance.now();
  const task = await user.prove(INPUT);
  const provedMs = performance.now();
  if (task.result === null) throw new Error(`the task ended as ${task.state}: ${JSON.stringify(task.failure)}`);
  return {
    task,
    verified: await verifyProof(task.result, CLAIM),
    workload,
    seconds: {
      setup: seconds(options.setupMs),
      ready: seconds(readyMs - beganMs),
      proof: seconds(provedMs - readyMs),
    },
  };
}

/** An engine that was only found, not asked for, may be one that cannot reach this machine's registry. */
async function deployProver(
  user: User,
  containers: ContainerParts | null,
  wanted: boolean,
  say: Say,
): Promise<Outcome["workload"]> {
  if (containers !== null) {
    try {
      await user.deploy(containers.image);
      return "container";
    } catch (error) {
      if (wanted) throw error;
      say(`The container engine at ${containers.engineSocket} cannot be used (${describe(error)}).`);
    }
  }
  await user.deploy("builtin:poseidon");
  return "builtin";
}

function tell({ task, verified, workload, seconds: { setup, ready, proof } }: Outcome, say: Say): void {
  const { result, ...record } = task;
  say(`\n${JSON.stringify(record, null, 2)}\n\nproof: ${result}\n`);
  say(verified ? "The separate verifier accepts the proof." : "The separate verifier REJECTS the proof.");
  say(`Prover: ${workload}. Set-up ${setup} s, ready after ${ready} s, proof after ${proof} s.`);
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stderr } = error as { readonly stderr?: unknown };
  if (typeof stderr !== "string" || stderr === "") return error.stack ?? error.message;
  return messageOf(stderr) ?? stderr;
}

/** What the user's command says in JSON when it fails, after a line on what it began. */
function messageOf(stderr: string): string | null {
  try {
    return (JSON.parse(stderr.slice(stderr.indexOf("{\n"))) as { readonly error: { readonly message: string } }).error
      .message;
  } catch {
    return null;
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 10) / 100;
}
