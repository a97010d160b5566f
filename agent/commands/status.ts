/** `elastic-agent status`: queries the agent that runs on this machine. */
import { loadStateConfig } from "../config/config.ts";
import { noAgentText, statusText } from "../status/agent-status.ts";
import { socketDirOf } from "../status/socket-dir.ts";
import { queryAgent } from "../status/status-socket.ts";

/** Returns the text to print and whether an agent runs. */
export async function status(
  env: NodeJS.ProcessEnv,
  options: { readonly json: boolean },
): Promise<{ readonly text: string; readonly running: boolean }> {
  const { stateDir } = loadStateConfig(env);
  const answer = await queryAgent(socketDirOf(stateDir), "/");
  if (answer === null) {
    const text = options.json ? JSON.stringify({ running: false }) : noAgentText(stateDir);
    return { text, running: false };
  }
  return { text: options.json ? JSON.stringify({ running: true, ...answer }) : statusText(answer), running: true };
}
