/** `elastic-agent enroll`: the line that an operator pastes. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { ConfigError, loadStateConfig } from "../config/config.ts";
import { isHostAndPort } from "../config/host-and-port.ts";
import { AGENT_VERSION } from "../domain/agent-version.ts";
import { enrollMachine, TokenUsedError } from "../enrollment/enroll-machine.ts";
import { enrolledNode, forgetKeysForTokens, identityFiles, wasEnrolledWith } from "../enrollment/identity-files.ts";
import { readNodeIdentity } from "../enrollment/node-identity.ts";

export interface EnrollOptions {
  readonly coordinator: string;
  readonly token?: string;
  /** In place of `token`, which is visible to who lists processes; `-` is standard input. */
  readonly tokenFile?: string;
  readonly caSha256: string;
  readonly node?: string;
  readonly machine?: string;
}

/** Returns the text to print. */
export async function enroll(env: NodeJS.ProcessEnv, options: EnrollOptions): Promise<string> {
  const { coordinator } = options;
  const caSha256 = options.caSha256.toLowerCase().replaceAll(":", "");
  if (!isHostAndPort(coordinator)) {
    const where = "the address of the coordinators' listener for enrollment, as `token create` prints it";
    throw new ConfigError(`--coordinator ${coordinator} is not host:port, ${where}. The token was not sent`);
  }
  if (!/^[0-9a-f]{64}$/.test(caSha256)) throw new ConfigError("--ca-sha256 is not 64 hexadecimal digits");
  const token = tokenOf(options);
  const { stateDir } = loadStateConfig(env);
  const before = enrolledNode(stateDir);
  const nodeName = options.node ?? before ?? hostname();
  if (before !== null && before !== nodeName) throw new Error(isAnother(before, nodeName, stateDir));
  const machine = options.machine ?? "";
  const order = { coordinator, token, caSha256, nodeName, machine, stateDir, agentVersion: AGENT_VERSION };
  const enrolled = await enrollMachine(order, Date.now).catch((error: unknown) => {
    if (error instanceof TokenUsedError && isEnrolledWith(stateDir, token, before)) return null;
    throw error;
  });
  if (enrolled === null) {
    forgetKeysForTokens(stateDir);
    return `this machine is node ${nodeName} already, by this very line: nothing was changed. Start the agent where it does not run`;
  }
  const { nodeId, notAfter, clockComplaint } = enrolled;
  const lines = [
    `this machine is node ${nodeId}; its certificate lasts until ${notAfter.toISOString()} and is renewed while the agent runs`,
    before === null
      ? "start the agent: elastic-agent run, or systemctl enable --now elastic-agent"
      : "it was that node before, and its earlier certificates are no longer accepted: systemctl restart elastic-agent",
  ];
  return [...lines, ...(clockComplaint === null ? [] : [`warning: ${clockComplaint}`])].join("\n");
}

function tokenOf({ token, tokenFile }: EnrollOptions): string {
  if (token !== undefined && tokenFile === undefined) return token;
  if (token !== undefined || tokenFile === undefined) throw new ConfigError("give one of --token and --token-file");
  try {
    const text = readFileSync(tokenFile === "-" ? 0 : tokenFile, "utf8").trim();
    if (text !== "") return text;
  } catch (error) {
    throw new ConfigError(`--token-file ${tokenFile} cannot be read: ${(error as Error).message}`);
  }
  throw new ConfigError(`--token-file ${tokenFile} is empty: it holds the token of the line`);
}

/** Whether the line was pasted before and did what it is for: a token works once. */
function isEnrolledWith(stateDir: string, token: string, before: string | null): boolean {
  if (before === null || !wasEnrolledWith(stateDir, token)) return false;
  return readNodeIdentity(readFileSync(identityFiles(stateDir).certFile)).validTo.getTime() > Date.now();
}

/** Under another name its containers and shells would be unknown to it. */
function isAnother(before: string, wanted: string, stateDir: string): string {
  const again = `to enroll it again, create a token with --node ${before}`;
  const other = `to make it node ${wanted}, evict ${before}, stop the agent and remove ${join(stateDir, "identity")}`;
  return `this machine is node ${before} already, and not ${wanted}: ${again}; ${other}. The token was not sent`;
}
