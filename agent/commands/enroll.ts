/** `elastic-agent enroll`: the line that an operator pastes. */
import { hostname } from "node:os";
import { join } from "node:path";
import { ConfigError, loadStateConfig } from "../config/config.ts";
import { AGENT_VERSION } from "../domain/agent-version.ts";
import { enrollMachine } from "../enrollment/enroll-machine.ts";
import { enrolledNode } from "../enrollment/identity-files.ts";

export interface EnrollOptions {
  readonly coordinator: string;
  readonly token: string;
  readonly caSha256: string;
  readonly node?: string;
}

const ADDRESS = /^([^\s:]+|\[[0-9a-fA-F:]+\]):\d{1,5}$/;

/** Returns the text to print. */
export async function enroll(env: NodeJS.ProcessEnv, options: EnrollOptions): Promise<string> {
  const { coordinator, token } = options;
  const caSha256 = options.caSha256.toLowerCase().replaceAll(":", "");
  if (!ADDRESS.test(coordinator)) throw new ConfigError(`--coordinator ${coordinator} is not host:port`);
  if (!/^[0-9a-f]{64}$/.test(caSha256)) throw new ConfigError("--ca-sha256 is not 64 hexadecimal digits");
  const { stateDir } = loadStateConfig(env);
  const before = enrolledNode(stateDir);
  const nodeName = options.node ?? before ?? hostname();
  if (before !== null && before !== nodeName) throw new Error(isAnother(before, nodeName, stateDir));
  const order = { coordinator, token, caSha256, nodeName, stateDir, agentVersion: AGENT_VERSION };
  const { nodeId, notAfter, clockComplaint } = await enrollMachine(order, Date.now);
  const lines = [
    `this machine is node ${nodeId}; its certificate lasts until ${notAfter.toISOString()} and is renewed while the agent runs`,
    before === null
      ? "start the agent: elastic-agent run, or systemctl enable --now elastic-agent"
      : "it was that node before, and its earlier certificates are no longer accepted: systemctl restart elastic-agent",
  ];
  return [...lines, ...(clockComplaint === null ? [] : [`warning: ${clockComplaint}`])].join("\n");
}

/** Under another name its containers and shells would be unknown to it. */
function isAnother(before: string, wanted: string, stateDir: string): string {
  const again = `to enroll it again, create a token with --node ${before}`;
  const other = `to make it node ${wanted}, evict ${before}, stop the agent and remove ${join(stateDir, "identity")}`;
  return `this machine is node ${before} already, and not ${wanted}: ${again}; ${other}. The token was not sent`;
}
