/** `elastic-agent doctor`: looks at everything the agent needs and says what to do about what is missing. */

import { type Check, checkText, fail, ok } from "@elastic/std/check.ts";
import { type AgentConfig, ConfigError, loadConfig, loadMachineConfig, type MachineConfig } from "../config/config.ts";
import { checkAccel } from "../doctor/accel-check.ts";
import { checkBuilds } from "../doctor/build-check.ts";
import { checkCertificate } from "../doctor/certificate-check.ts";
import { checkClock } from "../doctor/clock-check.ts";
import { checkCoordinator } from "../doctor/coordinator-check.ts";
import { checkGpus } from "../doctor/gpu-checks.ts";
import { checkLedger } from "../doctor/ledger-check.ts";
import { checkDisk, checkLimits, checkNode, checkTools, checkUser } from "../doctor/machine-checks.ts";
import { checkShells } from "../doctor/shell-check.ts";
import { checkBuiltins, checkEngine } from "../doctor/workload-checks.ts";
import { readDriverOnce } from "../gpus/driver-process.ts";
import { channelsOf } from "../link/channel.ts";

/** Returns the text to print and whether the agent can run. */
export async function doctor(
  env: NodeJS.ProcessEnv,
  options: { readonly json: boolean },
): Promise<{ readonly text: string; readonly healthy: boolean }> {
  const checks = await allChecks(env);
  const healthy = checks.every((check) => check.level !== "fail");
  return { text: options.json ? JSON.stringify({ healthy, checks }) : checks.map(checkText).join("\n"), healthy };
}

async function allChecks(env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const machine = [
    checkNode(process.versions.node),
    checkUser(process.getuid?.() ?? -1),
    ...checkTools(env.PATH ?? ""),
    checkLimits(),
    checkShells(),
  ];
  let settings: MachineConfig;
  try {
    settings = loadMachineConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...machine, fail("settings", error.message, "see elastic-agent run --help")];
  }
  const reading = readDriverOnce(settings.nvmlLibrary);
  const [disk, ledger, gpus, accel, engine, builtins, coordinators] = await Promise.all([
    checkDisk(settings.stateDir),
    checkLedger(settings.executionLedger),
    reading.then((driver) => checkGpus(driver, settings.engine, env.PATH ?? "")),
    reading.then((driver) => checkAccel(settings.accelLibrary, driver)),
    checkEngine(settings),
    checkBuiltins(settings),
    checkWay(env),
  ]);
  const builds = checkBuilds(settings.builds);
  return [
    ...machine,
    ok("settings", "complete"),
    disk,
    ledger,
    ...coordinators,
    engine,
    ...builtins,
    builds,
    ...gpus,
    ...accel,
  ];
}

/** Who this machine is, whether coordinators know it, and whether its clock is theirs. */
async function checkWay(env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  let config: AgentConfig;
  try {
    config = loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [finding = "", ...remedy] = error.message.split(": ");
    return [fail("enrollment", finding, remedy.join(": ")), checkClock(Date.now(), null)];
  }
  const certificate = checkCertificate(config.tls, config.isEnrolled, new Date());
  const reachable = certificate.level === "fail" ? [] : config.coordinators;
  const coordinators = await Promise.all(reachable.map((address) => checkCoordinator(channelsOf(config.tls), address)));
  const clockMs = coordinators.find((one) => one.clockMs !== null)?.clockMs ?? null;
  return [certificate, ...coordinators.map(({ check }) => check), checkClock(Date.now(), clockMs)];
}
