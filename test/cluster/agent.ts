/** An agent under test, as a separate process. */
import { join } from "node:path";
import type { CertificateFiles } from "@elastic/deploy/dev-ca.ts";
import { type AgentStarted, agentProgram, agentReady } from "@elastic/deploy/local/agent.ts";
import { lineWithMessage } from "@elastic/deploy/local/json-line.ts";
import type { Program } from "@elastic/deploy/local/program.ts";
import { programPath } from "./machine.ts";
import { type Part, startPart } from "./part.ts";

const START_TIMEOUT_MS = 60_000;
const LINK_TIMEOUT_MS = 60_000;

export interface AgentOptions {
  readonly name: string;
  readonly nodeId: string;
  readonly folder: string;
  readonly coordinators: readonly string[];
  readonly tls: CertificateFiles;
  readonly engineSocket: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** The same program on a dedicated machine, where it has one. */
  readonly inside?: (program: Program) => Program;
}

export interface Agent extends Part<AgentStarted> {
  readonly nodeId: string;
  /** Address of its metrics, of the newest start. */
  metricsUrl(): string;
  /** Resolves once the newest process has a link to a coordinator. */
  linked(): Promise<void>;
}

export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { inside = (program: Program) => program } = options;
  const part = await startPart<AgentStarted>({
    program: () =>
      inside(
        agentProgram({
          name: options.name,
          coordinators: options.coordinators,
          tls: options.tls,
          stateDir: join(options.folder, `${options.name}-state`),
          engineSocket: options.engineSocket,
          metricsPort: 0,
          logFile: join(options.folder, `${options.name}.log`),
          path: programPath(),
          settings: options.settings,
        }),
      ),
    becomesReady: (child) => agentReady(child, START_TIMEOUT_MS),
  });
  return {
    ...part,
    nodeId: options.nodeId,
    metricsUrl: () => `http://${part.ready().metrics}/metrics`,
    async linked() {
      await part.child().line(lineWithMessage("linked"), LINK_TIMEOUT_MS);
    },
  };
}
