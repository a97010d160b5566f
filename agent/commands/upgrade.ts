/** `elastic-agent upgrade`: another version of the agent, as the coordinator has it and the release key signed it. */
import { existsSync, readFileSync } from "node:fs";
import { pause } from "@elastic/std/pause.ts";
import { RELEASE_KEYS_FILE, readTrustedKeys } from "@elastic/std/program-release/trusted-keys.ts";
import { compareVersions, isVersion } from "@elastic/std/program-release/version-order.ts";
import { ConfigError, loadStateConfig } from "../config/config.ts";
import { enrollmentAddress, identityFiles } from "../enrollment/identity-files.ts";
import { socketDirOf } from "../status/socket-dir.ts";
import { queryAgent } from "../status/status-socket.ts";
import { drainMark } from "../upgrade/drain-mark.ts";
import {
  currentVersion,
  findLayout,
  type Layout,
  OWN_PACKAGE,
  previousVersion,
  programIn,
  removeOthers,
  versionFolder,
} from "../upgrade/layout.ts";
import { type OfferedRelease, obtainRelease, readOffer } from "../upgrade/obtain-release.ts";
import { claimUpgrade } from "../upgrade/one-at-a-time.ts";
import type { ReleaseSource } from "../upgrade/release-source.ts";
import { findRestart } from "../upgrade/restart-agent.ts";
import { resumeMarked, type Switched, switchVersion } from "../upgrade/switch-version.ts";
import { planUpgrade } from "../upgrade/upgrade-plan.ts";
import { drain } from "./drain.ts";

export interface UpgradeOptions {
  readonly version?: string;
  readonly check?: true;
  readonly rollback?: true;
  readonly json?: true;
  /** `host:port`. */
  readonly coordinator?: string;
  readonly drain: boolean;
  readonly drainWithin: number;
  readonly healthyWithin: number;
  readonly restart?: string;
}

export interface UpgradeContext {
  /** Of the program's bundle. */
  readonly packageRoot: string;
  readonly keysFile: string;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

interface Result {
  readonly text: string;
  readonly done: boolean;
}

const NOTHING = "Nothing was changed";
const LOOK_EVERY_MS = 500;
const SETTLES_MS = 5_000;
const PLATFORM = `linux-${process.arch}`;

/** Of this process. */
export const INSTALLED = {
  packageRoot: OWN_PACKAGE,
  keysFile: RELEASE_KEYS_FILE,
};

/** Returns the text to print, and whether it came to what was wanted. */
export async function upgrade(
  env: NodeJS.ProcessEnv,
  options: UpgradeOptions,
  context: UpgradeContext,
): Promise<Result> {
  const { version = null, check = false, rollback = false } = options;
  if (version !== null && !isVersion(version))
    throw new ConfigError(`--version ${version} is no version, such as 0.2.0`);
  const layout = findLayout(context.packageRoot);
  if (layout === null) throw new Error(NOT_INSTALLED);
  const installed = currentVersion(layout);
  if (rollback && !check) {
    const target = localTarget(layout, installed, version);
    if (target !== null) return act(env, layout, target, async () => undefined, options, context);
  }
  const source = sourceOf(env, options);
  const keys = readTrustedKeys(context.keysFile);
  if (keys.length === 0) throw new Error(NO_KEYS);
  const offer = await readOffer(source, { platform: PLATFORM, version, keys });
  const { manifest, coordinator } = offer;
  const plan = planUpgrade({ installed, offered: manifest, coordinator, rollback });
  if (check) return checked(offer, installed, plan, options.json ?? false);
  if (plan.kind === "refused") throw new Error(`${plan.why}. ${NOTHING}`);
  if (plan.kind === "nothing") return endInterrupted(env, layout, plan.why, context);
  const obtain = (): Promise<void> => obtainRelease(layout, source, offer, context);
  return act(env, layout, manifest.version, obtain, options, context);
}

const NOT_INSTALLED =
  "this agent was not installed by the line of `elastic-coordinator token create`: upgrade it as it was installed (apt install ./elastic-agent_<version>.deb, " +
  `for example). ${NOTHING}`;
const NO_KEYS = `there are no release keys in ${RELEASE_KEYS_FILE}, so no release can be verified: write the public key of your releases there. ${NOTHING}`;

/** The version to go back to where it is on this machine; null where it is to be downloaded. */
function localTarget(layout: Layout, installed: string, version: string | null): string | null {
  if (version === null) {
    const previous = previousVersion(layout);
    if (previous === null)
      throw new Error(`no earlier version is on this machine: name one with --version. ${NOTHING}`);
    return previous;
  }
  const isHere = version !== installed && existsSync(programIn(versionFolder(layout, version)));
  return isHere ? version : null;
}

function sourceOf(env: NodeJS.ProcessEnv, { coordinator }: UpgradeOptions): ReleaseSource {
  const { stateDir } = loadStateConfig(env);
  const address = coordinator ?? enrollmentAddress(stateDir);
  if (address === null) {
    throw new ConfigError(
      "where releases are served is not known: give --coordinator <host:port>, where machines are enrolled",
    );
  }
  const { caFile } = identityFiles(stateDir);
  if (!existsSync(caFile))
    throw new Error(`this machine is not enrolled, so it knows no coordinator: enroll it first. ${NOTHING}`);
  return { address, caPem: readFileSync(caFile, "utf8") };
}

function checked(
  { manifest, coordinator }: OfferedRelease,
  installed: string,
  plan: ReturnType<typeof planUpgrade>,
  json: boolean,
): Result {
  const { version } = manifest;
  const why = plan.kind === "upgrade" ? null : plan.why;
  if (json)
    return {
      text: JSON.stringify({ installed, offered: version, coordinator, upgrade: why === null, why }),
      done: true,
    };
  const word = compareVersions(version, installed) < 0 ? "an older version" : "an upgrade";
  return {
    text: why ?? `${version} is ${word} of this agent, ${installed}: elastic-agent upgrade installs it`,
    done: true,
  };
}

async function act(
  env: NodeJS.ProcessEnv,
  layout: Layout,
  target: string,
  obtain: () => Promise<void>,
  options: UpgradeOptions,
  context: UpgradeContext,
): Promise<Result> {
  const release = await claimUpgrade(layout.home);
  if (release === null) throw new Error(`another upgrade of this machine runs: wait for its end. ${NOTHING}`);
  try {
    const installed = currentVersion(layout);
    const { stateDir } = loadStateConfig(env);
    const look = () => queryAgent(socketDirOf(stateDir), "/");
    const restart = await findRestart(layout, options.restart ?? null);
    if (restart === null && (await look()) !== null) throw new Error(NO_RESTART);
    await obtain();
    const { signal, onProgress } = context;
    const switched = await switchVersion({
      layout,
      target,
      agent: {
        look,
        restart: async (from) => restart?.(from),
        drain: async () => {
          const within = AbortSignal.any([signal, AbortSignal.timeout(1000 * options.drainWithin)]);
          const { done, text } = await drain(env, DRAIN, { wait: true, signal: within, onProgress });
          return done ? null : whyNotDrained(text, signal, options.drainWithin);
        },
        resume: () => resume(env, onProgress),
      },
      mark: drainMark(layout),
      drains: options.drain,
      healthyWithinMs: 1000 * options.healthyWithin,
      settlesMs: SETTLES_MS,
      now: () => performance.now(),
      pause: () => pause(LOOK_EVERY_MS, new AbortController().signal),
      isInterrupted: () => signal.aborted,
      onProgress,
    });
    if (switched.kind === "switched") removeOthers(layout);
    return resultOf(switched, installed, target);
  } finally {
    await release();
  }
}

/** Returns why the node does not accept work again, or null. */
async function resume(env: NodeJS.ProcessEnv, onProgress: (line: string) => void): Promise<string | null> {
  const { signal } = new AbortController();
  const { done, text } = await drain(env, { kind: "resume" }, { wait: false, signal, onProgress });
  return done ? null : text;
}

/** Where the version is right: what an upgrade that was killed left drained accepts work again. */
async function endInterrupted(
  env: NodeJS.ProcessEnv,
  layout: Layout,
  why: string,
  { onProgress }: UpgradeContext,
): Promise<Result> {
  const mark = drainMark(layout);
  const release = mark.isSet() ? await claimUpgrade(layout.home) : null;
  // Another one that runs has drained it.
  if (release === null) return { text: why, done: true };
  try {
    const whyDrained = await resumeMarked({ agent: { resume: () => resume(env, onProgress) }, mark });
    if (whyDrained !== null) return { text: `${why}${drainedText(whyDrained)}`, done: false };
    return { text: `${why}; the node takes work again, which an interrupted upgrade had drained`, done: true };
  } finally {
    release();
  }
}

const DRAIN = { kind: "drain", stopShells: false } as const;
const NO_RESTART =
  "an agent runs and systemd does not run it, so this command cannot restart it: give --restart <command>, or stop the agent first. " +
  NOTHING;

function whyNotDrained(text: string, signal: AbortSignal, seconds: number): string {
  if (signal.aborted) return "it was interrupted";
  return `the node has not drained within ${seconds} s (${text}): repeat it, give a longer --drain-within, or --no-drain`;
}

function resultOf(switched: Switched, from: string, target: string): Result {
  const isDone = switched.kind === "switched" && switched.whyDrained === null;
  return { text: `${switchedText(switched, from, target)}${drainedText(switched.whyDrained)}`, done: isDone };
}

function drainedText(whyDrained: string | null): string {
  if (whyDrained === null) return "";
  return (
    `. The node is still drained and takes no work (${whyDrained}): repeat this command or run elastic-agent resume once the agent is healthy, or ` +
    "elastic node resume from elsewhere"
  );
}

function switchedText(switched: Switched, from: string, target: string): string {
  switch (switched.kind) {
    case "unchanged":
      return `the agent is ${from} as before: ${switched.why}. ${NOTHING}`;
    case "rolled_back": {
      const now = switched.runs
        ? `${from} runs again`
        : `${from} is installed again and is not healthy: see its log, and elastic-agent doctor`;
      return `${target} did not become healthy (${switched.why}): ${now}`;
    }
    case "switched": {
      const back = `elastic-agent upgrade --rollback returns to ${from}`;
      const started = switched.restarted
        ? `the agent runs as ${target}`
        : `${target} is installed, and no agent runs: start it`;
      return `${started}; ${back}`;
    }
  }
}
