/** Builds that take from the machine what they can, one of each kind at any time until they are stopped. */
import { availableParallelism } from "node:os";
import { until } from "@elastic/deploy/local/until.ts";
import type { ApiClient } from "@elastic/test/cluster/api-client.ts";
import { type BuildRecord, buildLog, createBuild } from "@elastic/test/cluster/build-source.ts";

const BEGUN = "the-step-runs";
const STEPS: Readonly<Record<string, string>> = {
  "fork bomb": "bomb() { bomb | bomb & }; bomb; while true; do for i in $(seq 2000); do true & done; wait; done",
  "endless log": "yes",
  "memory eater": "while true; do head -c 5g /dev/zero | grep x; done",
  "busy loops": `for i in $(seq ${availableParallelism()}); do while true; do true; done & done; wait`,
};
export const KINDS = Object.keys(STEPS);

/** Each begins next to those that run already. */
const BEGINS_WITHIN_MS = 600_000;
const LOOK_MS = 100;
/** Characters of a build's log in an error. */
const LOG_SHOWN = 2_000;

export interface HostileBuilds {
  /** Ends all of them; resolves when none runs. */
  stop(): Promise<void>;
}

/** Resolves once a step of each kind runs. Each is of another team: a team has one build at a time on a node. */
export async function startHostileBuilds(users: readonly ApiClient[]): Promise<HostileBuilds> {
  const over = new AbortController();
  const running = KINDS.map((kind, index) => keep(kind, users[index] as ApiClient, over.signal));
  const ends = Promise.all(running.map(({ ended }) => ended));
  ends.catch(() => undefined);
  const stop = async () => {
    over.abort();
    await ends;
  };
  try {
    await Promise.race([Promise.all(running.map(({ begun }) => begun)), ends]);
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { stop };
}

let builds = 0;

function keep(kind: string, user: ApiClient, over: AbortSignal) {
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined);
  const ended = (async () => {
    const { service_id } = await user.createService(`hostile-${++builds}`);
    while (!over.aborted) {
      // Another file each time, so that none is an earlier one again.
      const file = `FROM busybox:1\nENV BUILD=${++builds}\nRUN echo ${BEGUN}; ${STEPS[kind]}\n`;
      const { build_id } = await createBuild(user, service_id, [["Dockerfile", file]]);
      await until(`the step of the ${kind} runs`, () => hasBegun(user, build_id), { timeoutMs: BEGINS_WITHIN_MS });
      first.resolve();
      await endOf(user, build_id, over);
    }
    await user.deleteServices();
  })();
  ended.catch((error: unknown) => first.reject(error));
  return { begun: first.promise, ended };
}

/** Throws where the build ended before: nothing would begin any more. */
async function hasBegun(user: ApiClient, buildId: string): Promise<true | undefined> {
  const { phase, failure } = await readBuild(user, buildId);
  const log = await buildLog(user, buildId);
  if (new RegExp(`^#\\d+ [\\d.]+ ${BEGUN}$`, "m").test(log)) return true;
  if (isUnderWay(phase)) return undefined;
  throw new Error(`a build ended before its step ran: ${failure?.message ?? phase}\n${log.slice(-LOG_SHOWN)}`);
}

/** As it ends, or as it is cancelled; where it ends on its own, the next one begins at once. */
async function endOf(user: ApiClient, buildId: string, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    if (!isUnderWay((await readBuild(user, buildId)).phase)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  await user.call(`/v1/builds/${buildId}/cancel`, { method: "POST" });
}

async function readBuild(user: ApiClient, buildId: string): Promise<BuildRecord> {
  return (await user.call(`/v1/builds/${buildId}`)).json as BuildRecord;
}

function isUnderWay(phase: BuildRecord["phase"]): boolean {
  return phase === "queued" || phase === "running";
}
