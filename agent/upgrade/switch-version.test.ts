/** Switches between installed versions, on the links of a folder, with an agent that the test plays. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentStatus } from "../status/agent-status.ts";
import { drainMark } from "./drain-mark.ts";
import { currentVersion, type Layout, previousVersion, removeOthers, versionFolder } from "./layout.ts";
import { type SwitchOptions, switchVersion } from "./switch-version.ts";

let layout: Layout;
beforeEach(() => {
  layout = { home: mkdtempSync(join(tmpdir(), "layout-")) };
  for (const version of ["1.0.0", "1.1.0", "0.9.0"]) {
    mkdirSync(join(versionFolder(layout, version), "bin"), { recursive: true });
    writeFileSync(join(versionFolder(layout, version), "bin", "elastic-agent"), "");
  }
  symlinkSync("elastic-agent-1.0.0", join(layout.home, "elastic-agent"));
  symlinkSync("elastic-agent-0.9.0", join(layout.home, "previous"));
});
afterEach(() => rmSync(layout.home, { recursive: true }));

type Standing = AgentStatus["drain"]["standing"];

interface Played {
  /** Versions that come up; others never respond. */
  readonly healthy: readonly string[];
  readonly standing?: Standing;
  readonly whyNotDrained?: string;
  /** Whether each look finds another session, as of a program that ends and is started again. */
  readonly crashLoops?: readonly string[];
  readonly unlinked?: readonly string[];
  readonly interruptedAfter?: number;
  /** The command to restart it fails. */
  readonly cannotRestart?: boolean;
  readonly whyNotResumed?: string;
}

/** Returns the options, and what was done. */
function play(played: Played, target = "1.1.0") {
  const {
    healthy,
    standing = "ready",
    crashLoops = [],
    unlinked = [],
    interruptedAfter = Number.POSITIVE_INFINITY,
    cannotRestart = false,
  } = played;
  const done: string[] = [];
  let now = 0;
  let session = 0;
  let running: string | null = "1.0.0";
  const options: SwitchOptions = {
    layout,
    target,
    drains: true,
    mark: drainMark(layout),
    healthyWithinMs: 60_000,
    settlesMs: 5_000,
    now: () => now,
    pause: async () => {
      now += 500;
    },
    isInterrupted: () => now > interruptedAfter,
    onProgress: () => undefined,
    agent: {
      look: async () => {
        if (running === null || !healthy.includes(running)) return null;
        if (crashLoops.includes(running)) session += 1;
        const up = !unlinked.includes(running);
        const links = [{ address: "c:1", up, coordinatorId: null, whyDown: up ? null : "refused" }];
        const drain = { standing, asked: null, quarantine: null, attempts: 0, shells: 0, workloads: 0 };
        return { version: running, sessionId: String(session), links, drain } as unknown as AgentStatus;
      },
      drain: async () => {
        done.push("drain");
        return played.whyNotDrained ?? null;
      },
      resume: async () => {
        done.push(`resume ${running}`);
        return played.whyNotResumed ?? null;
      },
      restart: async (from) => {
        if (cannotRestart) throw new Error("not found");
        running = currentVersion(layout);
        session += 1;
        done.push(`${from} -> ${running}`);
      },
    },
  };
  const stop = (): void => {
    running = null;
  };
  return { options, done, stop };
}

const links = () => [currentVersion(layout), previousVersion(layout)];

test("drains, restarts with the new version, resumes, and retains the version before", async () => {
  const { options, done } = play({ healthy: ["1.0.0", "1.1.0"] });
  expect(await switchVersion(options)).toEqual({ kind: "switched", restarted: true, whyDrained: null });
  expect(done).toEqual(["drain", "1.0.0 -> 1.1.0", "resume 1.1.0"]);
  expect(links()).toEqual(["1.1.0", "1.0.0"]);
  removeOthers(layout);
  expect(readdirSync(layout.home).sort()).toEqual([
    "elastic-agent",
    "elastic-agent-1.0.0",
    "elastic-agent-1.1.0",
    "previous",
  ]);
});

test.each([
  ["does not respond", { healthy: ["1.0.0"] }, "no agent responds"],
  ["ends again and again", { healthy: ["1.0.0", "1.1.0"], crashLoops: ["1.1.0"] }, "it was not up for 5 s"],
  [
    "reaches no coordinator",
    { healthy: ["1.0.0", "1.1.0"], unlinked: ["1.1.0"] },
    "it is linked to no coordinator: refused",
  ],
  ["is interrupted", { healthy: ["1.0.0", "1.1.0"], interruptedAfter: 1_000 }, "it was interrupted"],
])("returns to the version before when the new one %s", async (_, played, why) => {
  const { options, done } = play(played);
  expect(await switchVersion(options)).toMatchObject({ kind: "rolled_back", runs: true, why });
  expect(done).toEqual(["drain", "1.0.0 -> 1.1.0", "1.1.0 -> 1.0.0", "resume 1.0.0"]);
  // One that failed is not one to go back to.
  expect(links()).toEqual(["1.0.0", "0.9.0"]);
});

test("says so when the version before is not healthy either", async () => {
  const { options } = play({ healthy: ["1.0.0"] });
  const { agent } = options;
  let restarts = 0;
  const dies = {
    ...agent,
    look: async () => (restarts > 0 ? null : agent.look()),
    restart: async (from: string) => {
      restarts += 1;
      await agent.restart(from);
    },
  };
  expect(await switchVersion({ ...options, agent: dies })).toMatchObject({
    kind: "rolled_back",
    runs: false,
    whyDrained: "1.0.0 is not healthy",
  });
  expect(links()).toEqual(["1.0.0", "0.9.0"]);
});

test("changes nothing and accepts work again when the node does not drain", async () => {
  const { options, done } = play({ healthy: ["1.0.0", "1.1.0"], whyNotDrained: "an attempt runs" });
  expect(await switchVersion(options)).toEqual({ kind: "unchanged", why: "an attempt runs", whyDrained: null });
  expect(done).toEqual(["drain", "resume 1.0.0"]);
  expect(links()).toEqual(["1.0.0", "0.9.0"]);
});

test("leaves a node drained that was drained before", async () => {
  const { options, done } = play({ healthy: ["1.0.0", "1.1.0"], standing: "drained" });
  expect(await switchVersion(options)).toMatchObject({ kind: "switched" });
  expect(done).toEqual(["drain", "1.0.0 -> 1.1.0"]);
});

test("changes the link alone where no agent runs", async () => {
  const { options, done, stop } = play({ healthy: ["1.0.0"] });
  stop();
  expect(await switchVersion(options)).toEqual({ kind: "switched", restarted: false, whyDrained: null });
  expect(done).toEqual([]);
  expect(links()).toEqual(["1.1.0", "1.0.0"]);
});

test("accepts work again when the agent could not be restarted and runs as before", async () => {
  const { options, done } = play({ healthy: ["1.0.0", "1.1.0"], cannotRestart: true });
  const why = "it could not be restarted: not found";
  expect(await switchVersion(options)).toEqual({ kind: "unchanged", why, whyDrained: null });
  expect(done).toEqual(["drain", "resume 1.0.0"]);
  expect(links()).toEqual(["1.0.0", "0.9.0"]);
});

test("ends the drain of an upgrade that was killed, and no other", async () => {
  const killed = play({ healthy: ["1.0.0", "1.1.0"] });
  const { drain } = killed.options.agent;
  const dies = async (): Promise<never> => {
    await drain();
    throw new Error("killed");
  };
  await expect(switchVersion({ ...killed.options, agent: { ...killed.options.agent, drain: dies } })).rejects.toThrow();
  const { options, done } = play({ healthy: ["1.0.0", "1.1.0"], standing: "drained" });
  expect(await switchVersion(options)).toMatchObject({ kind: "switched", whyDrained: null });
  expect(done.at(-1)).toBe("resume 1.1.0");
  expect(options.mark.isSet()).toBe(false);
});

test("reports a node that does not accept work again, and remembers it", async () => {
  const { options } = play({ healthy: ["1.0.0", "1.1.0"], whyNotResumed: "no coordinator has responded yet" });
  expect(await switchVersion(options)).toMatchObject({ whyDrained: "no coordinator has responded yet" });
  expect(options.mark.isSet()).toBe(true);
});
