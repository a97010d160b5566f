/**
 * The container engine of a machine, behind the agent's driver interface. Containers outlive the agent, with the proofs in them;
 * one in which a proof runs is not adopted but removed, as by the real driver.
 */
import type {
  Driver,
  FoundWorkload,
  Prover,
  ProverAnswer,
  ProverCall,
  ProverEnd,
} from "@elastic/agent/domain/driver.ts";
import { proverLog } from "@elastic/agent/domain/prover-log.ts";
import { StartFailure } from "@elastic/agent/domain/start-failure.ts";
import type { WorkloadSpec } from "@elastic/agent/domain/workload-spec.ts";
import { AttemptInput } from "./attempt-input.ts";
import type { Execution, Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { Due, Process } from "./world.ts";

export interface EngineOptions {
  /** Of the machine itself: it outlives agents. */
  readonly machine: Process;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly startMs: number;
  readonly startsFail: () => number;
}

interface Call {
  readonly execution: Execution;
  readonly answer: (answer: ProverAnswer) => void;
  due: Due | null;
}

interface Container {
  readonly id: string;
  readonly spec: WorkloadSpec;
  owner: Process;
  readonly calls: Set<Call>;
  isUp: boolean;
  onEnded: (end: ProverEnd) => void;
}

export class Engine {
  readonly #options: EngineOptions;
  readonly #containers = new Set<Container>();
  #started = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Containers that are up. */
  get size(): number {
    return this.#containers.size;
  }

  driverFor(agent: Process): Driver {
    return {
      name: "docker",
      start: (spec, _report, signal) => this.#start(agent, spec, signal),
      find: async () => {
        await this.#pass(agent, 5);
        return [...this.#containers].filter(({ owner }) => owner !== agent).map((each) => this.#found(agent, each));
      },
    };
  }

  async #start(agent: Process, spec: WorkloadSpec, signal: AbortSignal): Promise<Prover> {
    const { random, startMs, startsFail } = this.#options;
    await this.#pass(agent, startMs * (0.5 + random.next()));
    signal.throwIfAborted();
    if (random.chance(startsFail())) throw new StartFailure("prover_error", "it did not become healthy");
    const container: Container = {
      id: `${agent.host}/${++this.#started}`,
      spec,
      owner: agent,
      calls: new Set(),
      isUp: true,
      onEnded: () => undefined,
    };
    this.#containers.add(container);
    return this.#prover(agent, container);
  }

  #found(agent: Process, container: Container): FoundWorkload {
    const remove = async () => {
      await this.#pass(agent, 20);
      this.#end(container, true);
    };
    return {
      assignmentId: container.spec.assignmentId,
      handle: container.id,
      adopt: async () => {
        await this.#pass(agent, 10);
        if (container.isUp && container.calls.size === 0) {
          container.owner = agent;
          return this.#prover(agent, container);
        }
        await remove();
        return null;
      },
      remove,
    };
  }

  #prover(agent: Process, container: Container): Prover {
    const ended = Promise.withResolvers<ProverEnd>();
    container.onEnded = (end) => {
      agent.world.in(agent, 1, "container ended", () => ended.resolve(end));
    };
    return {
      log: proverLog(),
      prove: (call) => this.#prove(agent, container, call),
      ended: ended.promise,
      idle: async () => {
        while (container.isUp && container.calls.size > 0) await this.#pass(agent, 50);
      },
      stop: async () => {
        await this.#pass(agent, 20);
        this.#end(container, true);
      },
    };
  }

  #prove(agent: Process, container: Container, call: ProverCall): Promise<ProverAnswer> {
    const { machine, ledger } = this.#options;
    const { world } = machine;
    if (!(call.input instanceof AttemptInput)) throw new Error("an input of no attempt");
    const { input } = call;
    return new Promise((resolve) => {
      if (!container.isUp) {
        resolve({ kind: "ended", end: killed(true), logTail: "" });
        return;
      }
      const execution = ledger.begin(input.ref, agent);
      const running: Call = {
        execution,
        due: null,
        answer: (answer) => {
          if (running.due !== null) running.due.isCancelled = true;
          container.calls.delete(running);
          ledger.end(execution);
          world.in(agent, 1, "answer of a prover", () => {
            if (answer.kind === "responded") void call.output.write(Buffer.from(input.behaviour().output));
            resolve(answer);
          });
        },
      };
      container.calls.add(running);
      call.onCalled();
      const abort = () => {
        world.in(machine, 2, "abort", () => {
          if (container.calls.has(running)) running.answer({ kind: "aborted", logTail: "" });
        });
      };
      if (call.signal.aborted) abort();
      else call.signal.addEventListener("abort", abort, { once: true });
      const { runMs, end } = input.behaviour();
      if (end === "never") return;
      running.due = world.in(machine, runMs, "prover", () => {
        if (end === "crash") this.#end(container, false);
        else if (end === "refuse") running.answer({ kind: "refused", message: "no proof", logTail: "" });
        else running.answer({ kind: "responded" });
      });
    });
  }

  #end(container: Container, byAgent: boolean): void {
    if (!container.isUp) return;
    container.isUp = false;
    this.#containers.delete(container);
    for (const call of [...container.calls]) call.answer({ kind: "ended", end: killed(byAgent), logTail: "" });
    container.onEnded(killed(byAgent));
  }

  #pass(agent: Process, ms: number): Promise<void> {
    return new Promise((resolve) => {
      agent.world.in(agent, ms, "engine", resolve);
    });
  }
}

function killed(byAgent: boolean): ProverEnd {
  return { exitCode: 137, signal: "SIGKILL", outOfMemory: false, byAgent };
}
