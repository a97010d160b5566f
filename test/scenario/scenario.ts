/**
 * A cluster of real processes under a steady load, into which a scenario brings one fault or several:
 *
 *   await using run = await startScenario({ coordinators: 2 });
 *   await run.fault(async () => {
 *     await run.cluster.etcd.pause();
 *     await run.lasts(5_000);
 *     run.cluster.etcd.resume();
 *   });
 *   expect((await run.verdict()).attemptsMax).toBe(1);
 *
 * The verdict fails where the histories of the clients and of etcd show that a promise was broken, where a task failed, or
 * where no work ran before or after the fault.
 */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Program } from "@elastic/deploy/local/program.ts";
import { until } from "@elastic/deploy/local/until.ts";
import type { ApiClient } from "../cluster/api-client.ts";
import { openClientHistory } from "../cluster/checker/client-history.ts";
import { readExecutions } from "../cluster/checker/execution-lines.ts";
import { recordingClient } from "../cluster/checker/recording-client.ts";
import { readStoreHistory, type StoreEvent } from "../cluster/checker/store-history.ts";
import { type Cluster, type ClusterOptions, startCluster } from "../cluster/cluster.ts";
import type { Coordinator } from "../cluster/coordinator.ts";
import { agentsWithGpus } from "../cluster/gpu-machine.ts";
import { seededNumbers } from "../long/seeded-numbers.ts";
import type { EtcdMembers } from "./etcd-members.ts";
import { findRoles, type Roles, untilLeads } from "./leadership.ts";
import { type Lines, startLines } from "./lines.ts";
import { startLoad } from "./load.ts";
import { type Observed, observedClient } from "./observed-client.ts";
import { type Verdict, verdictOf, whatIsBroken } from "./verdict.ts";

const CALLERS = 8;
const SLOTS = 2;
const TASK_MS_MAX = 400;
const ENDED_BEFORE_THE_FAULT = 10;
const ACCEPTED_AFTER_THE_FAULT = 10;
/** A machine with GPUs runs only as much as its memory has room for. */
const OF_A_GPU = { gpu_model: "H200", memory_bytes: 256 * 1024 ** 2 };
const WARM_UP_TIMEOUT_MS = 60_000;
const CREATE_TIMEOUT_MS = 30_000;
const RECOVERY_TIMEOUT_MS = 60_000;
const END_TIMEOUT_MS = 90_000;

export interface ScenarioOptions
  extends Pick<ClusterOptions, "agents" | "engine" | "registry" | "coordinatorSettings" | "agentSettings" | "ledgers"> {
  /** One of several members that the scenario has started, to which coordinators connect directly. */
  readonly etcd?: EtcdMembers;
  /** Default 1. */
  readonly coordinators?: number;
  /** How many of the agents are on machines of their own, the first ones; default none. */
  readonly machines?: number;
  /** Default 8. */
  readonly callers?: number;
  /** Every agent is a machine with so many GPUs, of which each workload of the load has one; default none. */
  readonly gpus?: number;
}

export interface Scenario extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly lines: Lines;
  /** Of this run: a failure names it. */
  readonly seed: number;
  /** A number below the bound, from the seed. */
  random(below: number): number;
  /** The coordinator that leads, and the others. */
  roles(): Promise<Roles>;
  /** Resolves, with how long that took, once the coordinator leads. */
  leads(coordinator: Coordinator, withinMs: number): Promise<number>;
  /** From now on callers go to these alone, as behind a load balancer; at first they take all in turn. */
  callersGoTo(coordinators: readonly Coordinator[]): void;
  /** Creates one more task of the load's service; `input` is JSON text. Returns its id. */
  create(input: string): Promise<string>;
  /** Creates that were accepted so far. */
  accepted(): number;
  /** Ids of tasks whose ends the callers have seen. */
  ended(): readonly string[];
  /** Reads etcd's history so far, which may be compacted then, and returns the last revision in it. */
  keepHistory(): Promise<number>;
  /** What happens meanwhile is what the verdict calls the fault. */
  fault(bring: () => Promise<void>): Promise<void>;
  /** The fault is a length of time. */
  lasts(ms: number): Promise<void>;
  /** Once work runs again: ends the load, and judges the run. Rejects with all that is broken. */
  verdict(): Promise<Verdict>;
}

export async function startScenario(options: ScenarioOptions = {}): Promise<Scenario> {
  await using starting = new AsyncDisposableStack();
  const { coordinators = 1, agents = 2, machines = 0, callers = CALLERS, gpus = 0, ...others } = options;
  const { etcd, agentSettings, ...more } = others;
  const seed = randomInt(2 ** 31);
  const random = seededNumbers(seed);
  const lines = starting.use(await startLines({ coordinators, machines, etcdEndpoints: etcd?.endpoints ?? [] }));
  const { as = (program) => program, ...through } = lines.options;
  const withGpus = gpus > 0 ? agentsWithGpus(agents, gpus) : (program: Program) => program;
  const cluster = starting.use(
    await startCluster({
      ...more,
      ...(etcd === undefined ? {} : { etcd: etcd.first }),
      ...through,
      as: (program) => as(withGpus(program)),
      coordinators,
      agents,
      agentSettings: { ELASTIC_SLOTS: String(SLOTS), ...agentSettings },
    }),
  );
  let serving: readonly ApiClient[] = [];
  let turn = 0;
  const responses: Observed[] = [];
  const goTo = (chosen: readonly Coordinator[]): void => {
    serving = chosen.map((one) => observedClient(cluster.client(one), (observed) => responses.push(observed)));
  };
  goTo(cluster.coordinators);
  const next = (): ApiClient => {
    turn += 1;
    return serving[turn % serving.length] ?? cluster.client();
  };
  const workloads = agents * (gpus || SLOTS);
  const { service_id: serviceId } = await cluster.client().readyService("load", {
    image: "builtin:sleep",
    scaling: { min: workloads, max: workloads },
    ...(gpus > 0 ? { resources: OF_A_GPU } : {}),
  });
  const history = openClientHistory(join(cluster.folder, "client-history.jsonl"));
  const recorder = recordingClient(next, history);
  const input = (): string => `{"ms":${random(TASK_MS_MAX) + 1}}`;
  const load = startLoad({ callers, serviceId, recorder, input });
  await until("tasks to end", () => load.ended().length >= ENDED_BEFORE_THE_FAULT || undefined, {
    timeoutMs: WARM_UP_TIMEOUT_MS,
  });
  let span: { readonly fromMs: number; readonly toMs: number } | null = null;
  let kept: readonly StoreEvent[] = [];
  const readHistory = async () => {
    const since = kept.at(-1)?.revision ?? 0;
    return [...kept, ...(await readStoreHistory(cluster.etcd.endpoint, since + 1))];
  };
  const created = () => history.events().filter(({ kind }) => kind === "created");
  const started = starting.move();
  return {
    cluster,
    lines,
    seed,
    random,
    roles: () => findRoles(cluster.coordinators),
    leads: untilLeads,
    callersGoTo: goTo,
    create: (text) => recorder.createAccepted(serviceId, text, AbortSignal.timeout(CREATE_TIMEOUT_MS)),
    accepted: () => created().length,
    ended: load.ended,
    async keepHistory() {
      kept = await readHistory();
      return kept.at(-1)?.revision ?? 0;
    },
    async fault(bring) {
      const fromMs = performance.now();
      try {
        await bring();
      } finally {
        span = { fromMs, toMs: performance.now() };
      }
    },
    lasts: (ms) => delay(ms),
    async verdict() {
      if (span === null) throw new Error("no fault was brought about");
      const before = created().length;
      const look = () => created().length >= before + ACCEPTED_AFTER_THE_FAULT || undefined;
      await until("work to run again", look, { timeoutMs: RECOVERY_TIMEOUT_MS });
      const tasks = await load.stop(END_TIMEOUT_MS);
      const store = ofService(serviceId, await readHistory());
      const executions = [...readExecutions(cluster.folder)];
      const run = { client: history.events(), store, executions, responses, tasks, fault: span };
      const broken = whatIsBroken(run);
      if (broken !== null) throw new Error(`seed ${seed}:\n${broken}`);
      return verdictOf(run);
    },
    async [Symbol.asyncDispose]() {
      // Callers that still follow tasks would wait for a cluster that is gone.
      await load.stop(1).catch(() => undefined);
      await started.disposeAsync();
    },
  };
}

/** A scenario may create further tasks, on other services. */
function ofService(serviceId: string, store: readonly StoreEvent[]): readonly StoreEvent[] {
  const ids = new Set(store.filter(({ task }) => task?.serviceId === serviceId).map(({ taskId }) => taskId));
  return store.filter(({ taskId }) => ids.has(taskId));
}
