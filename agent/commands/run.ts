/** `elastic-agent run`: the agent in the foreground until a signal ends it. */

import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { logUncaughtErrors } from "@elastic/std/log-uncaught-errors.ts";
import { tuneYoungGeneration } from "@elastic/std/young-generation.ts";
import { loadConfig } from "../config/config.ts";
import { startAgent } from "../start/start-agent.ts";
import { openNotifier } from "../systemd/notifier.ts";

/** Longer than ending containers takes; then the process ends whatever still hangs. */
const STOP_TIMEOUT_MS = 30_000;

export async function run(env: NodeJS.ProcessEnv): Promise<void> {
  tuneYoungGeneration();
  const config = loadConfig(env);
  const log = createLog({ name: "agent", level: config.logLevel });
  logUncaughtErrors(log);
  const manager = openNotifier(env);
  const agent = await startAgent(config, systemClock, log);
  log.info({ nodeId: agent.nodeId, metrics: agent.metrics }, "ready");
  manager.ready();

  const signal = await new Promise<string>((resolve) => {
    for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => resolve(name));
  });
  log.info({ signal }, "stopping");
  manager.stopping();
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  await agent.stop();
  log.info("stopped");
  process.exit(0);
}
