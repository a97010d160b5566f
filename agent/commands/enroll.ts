/** `elastic-agent enroll`: the line that an operator pastes. */
import { hostname } from "node:os";
import { AGENT_VERSION } from "../agent.ts";
import { ConfigError, loadStateConfig } from "../config.ts";
import { enrollMachine } from "../enrol/enroll-machine.ts";

export interface EnrollOptions {
  readonly coordinator: string;
  readonly token: string;
  readonly caSha256: string;
  readonly node?: string;
}

const ADDRESS = /^([^\s:]+|\[[0-9a-fA-F:]+\]):\d{1,5}$/;

/** Answers the text to print. */
export async function enroll(env: NodeJS.ProcessEnv, options: EnrollOptions): Promise<string> {
  const { coordinator, token } = options;
  const caSha256 = options.caSha256.toLowerCase().replaceAll(":", "");
  if (!ADDRESS.test(coordinator)) throw new ConfigError(`--coordinator ${coordinator} is not host:port`);
  if (!/^[0-9a-f]{64}$/.test(caSha256)) throw new ConfigError("--ca-sha256 is not 64 hexadecimal digits");
  const { stateDir } = loadStateConfig(env);
  const nodeName = options.node ?? hostname();
  const order = { coordinator, token, caSha256, nodeName, stateDir, agentVersion: AGENT_VERSION };
  const { nodeId, notAfter, clockComplaint } = await enrollMachine(order, Date.now);
  const lines = [
    `this machine is node ${nodeId}; its certificate lasts until ${notAfter.toISOString()} and is renewed while the agent runs`,
    "start the agent: elastic-agent run, or systemctl enable --now elastic-agent",
  ];
  return [...lines, ...(clockComplaint === null ? [] : [`warning: ${clockComplaint}`])].join("\n");
}
