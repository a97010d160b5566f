/** What all of the agent is started with: its settings, which node it is, and its place on this machine. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { AgentConfig } from "../config/config.ts";
import { readNodeIdentity } from "../enrollment/node-identity.ts";
import { clearSocketDir, makeSocketDir } from "../status/socket-dir.ts";
import { refuseSecondAgent } from "../status/status-socket.ts";

export interface Node {
  readonly config: AgentConfig;
  readonly nodeId: string;
  /** Of this process: its containers differ by it from those of an earlier one. */
  readonly sessionId: string;
  readonly socketDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Rejects when another agent runs with the same state directory. */
export async function openNode(config: AgentConfig, clock: Clock, log: Logger): Promise<Node> {
  const { nodeId } = readNodeIdentity(await readFile(config.tls.certFile));
  const sessionId = randomUUID().replaceAll("-", "");
  await mkdir(config.stateDir, { recursive: true, mode: 0o700 });
  const socketDir = makeSocketDir(config.stateDir);
  await refuseSecondAgent(socketDir);
  await clearSocketDir(socketDir);
  return { config, nodeId, sessionId, socketDir, clock, log };
}
