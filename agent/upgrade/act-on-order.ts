/**
 * Acts on the operators' order to become another version, as `elastic-agent upgrade` on the machine does: by a process that outlives
 * the agent, which that restarts. Each order is acted on once: an agent that returned to the version before is sent it again.
 *
 * An order is the coordinators', and they may be compromised: the release key decides what runs here, and an older version is
 * accepted only where it is the one that this machine ran before.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentUpgrade } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { Logger } from "@elastic/std/log.ts";
import { compareVersions, isVersion } from "@elastic/std/program-release/version-order.ts";

export interface OrderOptions {
  readonly stateDir: string;
  readonly version: string;
  /** The shell command that upgrades this agent, where systemd does not run it; null for none. */
  readonly command: string | null;
  readonly isUnderSystemd: boolean;
  /** The older version that an order may return to; null for none. */
  readonly rollbackTarget: () => string | null;
  /** Starts a program that goes its own way. */
  readonly start: (command: string, args: readonly string[]) => void;
  readonly log: Logger;
}

const FILE = "upgrade-order.json";
const ADDRESS = /^[^\s:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/;
/** Of the unit that runs it: a second one is refused while it does. */
const UNIT = "elastic-agent-upgrade";
const PROGRAM = "/usr/local/bin/elastic-agent";

export function actOnOrders(options: OrderOptions): (order: AgentUpgrade | undefined) => void {
  const { stateDir, version, log } = options;
  const file = join(stateDir, FILE);
  let last = lastOrder(file);
  return (order) => {
    if (order === undefined || order.orderId === last || order.version === version) return;
    last = order.orderId;
    // Before it is acted on: an order that breaks the agent is not to break it again.
    writeFileSync(`${file}.next`, `${JSON.stringify({ orderId: order.orderId })}\n`);
    renameSync(`${file}.next`, file);
    if (isOlder(order.version, version) && order.version !== options.rollbackTarget()) {
      log.warn({ version: order.version, installed: version }, REFUSED);
      return;
    }
    const program = programOf(options, order);
    if (program === null) {
      log.warn(
        { version: order.version },
        "cannot act on the order to upgrade: run elastic-agent upgrade on this machine",
      );
      return;
    }
    log.info({ version: order.version, rollback: order.rollback }, "upgrades this agent, as the operators order");
    options.start(program.command, program.args);
  };
}

const REFUSED =
  "refused the order to return to an older version: it is not the one that this machine ran before its last upgrade, within a week; " +
  "where you mean it, run elastic-agent upgrade --version <version> --rollback on this machine";

/** Also where the agent's is none, as of a checkout. */
function isOlder(ordered: string, installed: string): boolean {
  return isVersion(ordered) && isVersion(installed) && compareVersions(ordered, installed) < 0;
}

function programOf({ command, isUnderSystemd, version }: OrderOptions, order: AgentUpgrade) {
  if (!isVersion(order.version)) return null;
  const address = ADDRESS.test(order.enrollmentAddress) ? ["--coordinator", order.enrollmentAddress] : [];
  const args = [
    "--version",
    order.version,
    ...(order.rollback && isOlder(order.version, version) ? ["--rollback"] : []),
    ...address,
  ];
  if (command !== null) return { command: "/bin/sh", args: ["-c", `${command} "$@"`, "sh", ...args] };
  if (!isUnderSystemd || !existsSync(PROGRAM)) return null;
  const settings = "--property=EnvironmentFile=-/etc/elastic/agent.env";
  // Outside of the agent's own unit, which ends with it and may not write to /opt.
  return { command: "systemd-run", args: ["--collect", `--unit=${UNIT}`, settings, PROGRAM, "upgrade", ...args] };
}

function lastOrder(file: string): string | null {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { readonly orderId: string }).orderId;
  } catch {
    return null;
  }
}

/** In another session: no signal for the agent ends it. */
export function startDetached(log: Logger): OrderOptions["start"] {
  return (command, args) => {
    const child = spawn(command, args, { detached: true, stdio: "ignore" });
    child.once("error", (error) => log.error({ err: error }, "the upgrade could not be started"));
    child.once("exit", (code) => log.info({ code }, "what upgrades this agent has ended"));
    child.unref();
  };
}
