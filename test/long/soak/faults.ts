/**
 * Rounds of faults, drawn from a seed: in each, one to three of the parts and links at once are killed, frozen or cut, and
 * healed after a while.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { FaultProxy } from "../../cluster/fault-proxy.ts";
import type { Part } from "../../cluster/part.ts";
import type { Fleet } from "./fleet.ts";

/** Between two rounds nothing is broken, for as long at most. */
const CALM_MS_MAX = 4_000;
const FAULTS_PER_ROUND_MAX = 3;

interface Fault {
  readonly name: string;
  /** Of these no two are in one round. */
  readonly of: "etcd" | "coordinator" | "agent" | "link";
  readonly forMs: readonly [min: number, max: number];
  begin(): unknown;
  end(): unknown;
}

export interface Links {
  readonly ofAgents: readonly (readonly FaultProxy[])[];
  readonly ofEtcd: FaultProxy;
}

export interface Faults {
  /** Breaks and heals until `isOver`; what is broken then is healed first. */
  rounds(random: (below: number) => number, isOver: () => boolean): Promise<void>;
  /** How often each was. */
  counts(): ReadonlyMap<string, number>;
}

/** `onFault` is called as each begins. */
export function prepareFaults(fleet: Fleet, links: Links, onFault: (name: string) => void): Faults {
  const all = faultsOf(fleet, links);
  const counts = new Map<string, number>();
  const one = async (fault: Fault, forMs: number): Promise<void> => {
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1);
    onFault(fault.name);
    await fault.begin();
    await delay(forMs);
    await fault.end();
  };
  return {
    async rounds(random, isOver) {
      while (!isOver()) {
        const drawn = new Map<Fault["of"], Fault>();
        for (let more = 1 + random(FAULTS_PER_ROUND_MAX); more > 0; more -= 1) {
          const fault = all[random(all.length)];
          if (fault !== undefined) drawn.set(fault.of, fault);
        }
        await Promise.all(
          [...drawn.values()].map((fault) => one(fault, fault.forMs[0] + random(fault.forMs[1] - fault.forMs[0]))),
        );
        await delay(random(CALM_MS_MAX));
      }
    },
    counts: () => counts,
  };
}

/**
 * The first coordinator and the first agent are never killed: what a process accumulates is to be seen in them. A lease of a
 * coordinator ends within four seconds, and the fence of an agent within thirteen.
 */
function faultsOf(fleet: Fleet, { ofAgents, ofEtcd }: Links): readonly Fault[] {
  const killed = (of: Fault["of"], part: Part<unknown>): Fault => ({
    name: `${part.name} killed`,
    of,
    forMs: [0, 3_000],
    begin: () => fleet.kill(part),
    end: () => fleet.start(part),
  });
  const frozen = (of: Fault["of"], part: Part<unknown>, forMs: Fault["forMs"]): Fault => ({
    name: `${part.name} frozen`,
    of,
    forMs,
    begin: () => part.pause(),
    end: () => part.resume(),
  });
  const broken = (name: string, proxies: readonly FaultProxy[], mode: Mode, forMs: Fault["forMs"]): Fault => ({
    name,
    of: "link",
    forMs,
    begin() {
      for (const proxy of proxies) proxy.set(mode);
    },
    // Where bytes were lost no connection may continue: none does without its bytes.
    end() {
      for (const proxy of proxies) if (mode !== "stall") proxy.reset();
      for (const proxy of proxies) proxy.set("pass");
    },
  });
  const [firstCoordinator, ...coordinators] = fleet.coordinators;
  const [firstAgent, ...agents] = fleet.agents;
  if (firstCoordinator === undefined || firstAgent === undefined) throw new Error("there is no part of each kind");
  return [
    killed("etcd", fleet.etcd),
    frozen("etcd", fleet.etcd, [500, 3_000]),
    ...coordinators.map((part) => killed("coordinator", part)),
    ...fleet.coordinators.map((part) => frozen("coordinator", part, [1_000, 8_000])),
    ...agents.map((part) => killed("agent", part)),
    frozen("agent", firstAgent, [1_000, 16_000]),
    ...ofAgents.map((proxies, index) => broken(`agent-${index + 1} cut off`, proxies, "black-hole", [14_500, 17_000])),
    ...ofAgents.map((proxies, index) =>
      broken(`one link of agent-${index + 1} cut`, proxies.slice(0, 1), "cut", [2_000, 8_000]),
    ),
    broken("responses of etcd lost", [ofEtcd], "drop-responses", [300, 2_000]),
    broken("etcd out of reach", [ofEtcd], "stall", [500, 3_000]),
  ];
}

type Mode = Parameters<FaultProxy["set"]>[0];
