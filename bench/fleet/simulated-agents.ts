/** Many agents in one process, apart from the coordinators: each with its own certificate, session and connections. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CertificateFiles } from "@elastic/deploy/dev-ca.ts";

export interface AgentsSettings {
  readonly addresses: readonly string[];
  readonly agents: readonly { readonly nodeId: string; readonly files: CertificateFiles }[];
}

export interface AgentsReport {
  /** Links that are up, by address. */
  readonly up: Readonly<Record<string, number>>;
  /** Of heartbeats that were acknowledged since the last report, in milliseconds. */
  readonly roundTripsMs: readonly number[];
  /** Connections that were begun since the last report, by the second. */
  readonly dials: readonly (readonly [second: number, count: number])[];
  /** Since the start: agents that abandoned their work: no coordinator responded for as long as the fence. */
  readonly fenced: number;
}

export interface SimulatedAgents {
  report(): Promise<AgentsReport>;
  stop(): Promise<void>;
}

export async function startSimulatedAgents(settings: AgentsSettings): Promise<SimulatedAgents> {
  const child = fork(join(import.meta.dirname, "agents-process.ts"), { serialization: "advanced" });
  const failed = new Promise<never>((_, reject) => {
    child.once("exit", (code) => reject(new Error(`the agents' process ended with ${code}`)));
  });
  failed.catch(() => undefined);
  const answered = async (message: "report" | AgentsSettings): Promise<unknown> => {
    const answer = once(child, "message") as Promise<[unknown]>;
    child.send(message);
    return (await Promise.race([answer, failed]))[0];
  };
  await answered(settings);
  return {
    report: async () => (await answered("report")) as AgentsReport,
    async stop() {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}
