/** The demo itself: brings the parts up, uses them as a user would, and ends them. */

import { registryHost } from "../local/registry.ts";
import { type Claim, verifyProof } from "../local/verify-proof.ts";
import { hasBaseImages, loadBaseImages } from "./base-images.ts";
import { startContainerParts, startRegistry } from "./container-parts.ts";
import { demoLoginLink, startAgent, startCoordinator, startEtcd } from "./control-parts.ts";
import { deployedService, type Workload } from "./deployed-service.ts";
import { describeError } from "./describe-error.ts";
import { chosenEnrollment, type Enrollment, lineToPaste } from "./enrollment.ts";
import type { Ground } from "./ground.ts";
import { removeLeftovers } from "./leftovers.ts";
import { nextCommands } from "./next-commands.ts";
import type { DemoOptions } from "./options.ts";
import { makeParts, type Parts } from "./parts.ts";
import { loadShellImage, shellSettings } from "./shell-image.ts";
import { type DemoState, writeState } from "./state-file.ts";
import { makeUser, type TaskRecord } from "./user.ts";

const INPUT = {
  private_input: [1, 2],
  public_input: "7853200120776062878684798364095072458815029376092732009249414926327459813530",
};
const CLAIM: Claim = { inputs: INPUT.private_input.length, publicInput: INPUT.public_input };

type Say = (line: string) => void;

interface Outcome {
  readonly task: TaskRecord;
  readonly verified: boolean;
  readonly workload: Workload;
  readonly seconds: { readonly setup: number; readonly ready: number; readonly proof: number };
}

/** What the demo runs in. */
export interface DemoSurroundings extends Ground {
  /** ELASTIC_EGRESS_ALLOW of the coordinator; empty for public addresses alone. */
  readonly egressAllow: string;
  /** ELASTIC_ACCEPT_STORE of the coordinator; empty to reject an etcd that was put back to an older copy. */
  readonly acceptStore: string;
  /** ELASTIC_ACCEL_LIBRARY of the agent of a demo that is left running; empty for the one that it finds. */
  readonly accelLibrary: string;
  /** The environment of compilers and package tools. */
  readonly tools: NodeJS.ProcessEnv;
  /** Aborted when the user ends the demo. */
  readonly end: AbortSignal;
  readonly say: Say;
}

/** Returns the exit status. */
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
    const enrollment = await chosenEnrollment(options.enroll, surroundings);
    const outcome = await Promise.race([useIt(options, surroundings, parts, enrollment, learn), aborted(end)]);
    if (outcome === null) return 130;
    report(outcome, say);
    if (options.keep) {
      const { etcd, url, engine } = state;
      if (etcd !== null && url !== null) learn({ console_login_url: await demoLoginLink({ path, etcd, url }) });
      const sample = {
        input: INPUT,
        taskId: outcome.task.task_id,
        teamId: outcome.task.team_id,
        baseImages: engine !== null && (await hasBaseImages(engine)),
        shells: options.shells,
        localWebhooks: options.localWebhooks,
        enroll: enrollment === null ? null : `${enrollment.address}:${enrollment.port}`,
        joinLine: enrollment === null || etcd === null ? null : await lineToPaste(enrollment, { etcd, path }),
      };
      say(nextCommands(places, state, sample));
      await aborted(end);
    }
    await parts.stop();
    // The last line, after everything that the end may have had to say.
    if (options.json) say(JSON.stringify(outcome));
    return outcome.verified ? 0 : 1;
  } catch (error) {
    say(`The demo failed: ${describeError(error)}`);
    return 1;
  } finally {
    await parts.stop();
    await removeLeftovers(places);
  }
}

async function useIt(
  options: DemoOptions,
  surroundings: DemoSurroundings,
  parts: Parts,
  enrollment: Enrollment | null,
  learn: (news: Partial<DemoState>) => void,
): Promise<Outcome> {
  const { places, path, egressAllow, acceptStore, accelLibrary, restart, say } = surroundings;
  const beganMs = performance.now();
  const etcd = await startEtcd(parts, surroundings);
  learn({ etcd });
  // A state with images needs them wherever it is started.
  const wantsContainers = options.container || restart.facts().workload === "container";
  const containers = await startContainerParts(parts, surroundings, wantsContainers);
  const engineSocket = containers?.engineSocket ?? null;
  const registry = containers === null ? null : registryHost({ port: containers.registryPort });
  learn({ registry, engine: engineSocket });
  if (options.baseImages && containers !== null) {
    if (containers.ownEngine) await loadBaseImages(containers.engineSocket, surroundings.tools, say);
    else say(`The engine at ${containers.engineSocket} is not the demo's: no base images are made in it.`);
  }
  const shells = options.shells ? shellSettings(await restart.port("ssh")) : {};
  if (options.shells && engineSocket !== null) await loadShellImage(engineSocket, surroundings.tools);
  const coordinator = await startCoordinator(parts, surroundings, {
    etcd,
    registry,
    keep: options.keep,
    settings: { ELASTIC_EGRESS_ALLOW: egressAllow, ELASTIC_ACCEPT_STORE: acceptStore, ...shells },
    enrollment,
  });
  const { url, grpc, firstKey } = coordinator;
  if (containers !== null) await startRegistry(parts, surroundings, { port: containers.registryPort, url });
  learn({
    url,
    key: firstKey.key,
    metrics: { coordinator: coordinator.metrics, agent: null },
  });
  // One that ends after its proof would only be slowed down.
  const library = options.keep ? accelLibrary : "none";
  const agentMetrics = await startAgent(parts, surroundings, {
    etcd,
    grpc,
    enrollment,
    containers,
    accelLibrary: library,
  });
  learn({ metrics: { coordinator: coordinator.metrics, agent: agentMetrics } });

  const user = makeUser(places, { path, engineSocket }, say);
  learn({ team: await user.login({ url, key: firstKey.key, teamId: firstKey.teamId }) });
  const { serviceId, workload } = await deployedService(user, { restart, containers, wanted: options.container, say });
  learn({ service_id: serviceId });
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

function report({ task, verified, workload, seconds: { setup, ready, proof } }: Outcome, say: Say): void {
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

function seconds(ms: number): number {
  return Math.round(ms / 10) / 100;
}
