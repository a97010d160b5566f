/** `restart.json`: what the next start with the same state must find again, since nothing else of it can be derived. */
import { readFileSync } from "node:fs";
import type { FirstKey } from "../local/coordinator.ts";
import { freePort } from "../local/free-port.ts";
import { DemoError } from "./demo-error.ts";
import { writePrivately } from "./private-file.ts";

type PortName =
  | "etcd"
  | "etcd-peer"
  | "http"
  | "grpc"
  | "coordinator-metrics"
  | "agent-metrics"
  | "registry"
  | "ssh"
  | "enroll";

/** Users' links, the deployments' images, known hosts and joined machines name these. */
const FIXED: readonly PortName[] = ["http", "registry", "ssh", "grpc", "enroll"];

export class PortTakenError extends DemoError {}

interface RestartFacts {
  /** With its text, of which the store has only the hash. */
  readonly firstKey?: FirstKey;
  readonly nodeId?: string;
  /** Where machines have joined. */
  readonly enrollAddress?: string;
  readonly serviceId?: string;
  /** The demo's own deployment of that service. */
  readonly deploymentId?: string;
  readonly workload?: "container" | "builtin";
  readonly ports?: Ports;
}

type Ports = Readonly<Partial<Record<PortName, number>>>;

export interface RestartRecord {
  facts(): RestartFacts;
  /** Of the earlier start; empty at the first. */
  readonly earlierPorts: Ports;
  set(news: RestartFacts): void;
  /** The port of the earlier start, else `usual`, where it is free; else any other, or a PortTakenError where it must be the same. */
  port(name: PortName, usual?: number): Promise<number>;
}

/** Empty where the file does not exist yet. */
export function openRestartRecord(file: string): RestartRecord {
  let facts = readFacts(file);
  const earlierPorts = facts.ports ?? {};
  const set = (news: RestartFacts): void => {
    facts = { ...facts, ...news };
    writePrivately(file, facts);
  };
  return {
    facts: () => facts,
    earlierPorts,
    set,
    async port(name, usual) {
      const earlier = earlierPorts[name];
      const port = await freePort(earlier ?? usual);
      if (earlier !== undefined && port !== earlier && FIXED.includes(name)) {
        throw new PortTakenError(
          `Another program listens on port ${earlier}, which is this state's ${name} port: end that program first.`,
        );
      }
      set({ ports: { ...facts.ports, [name]: port } });
      return port;
    },
  };
}

function readFacts(file: string): RestartFacts {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as RestartFacts;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
}
