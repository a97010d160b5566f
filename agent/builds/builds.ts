/**
 * The builds that this node is assigned: each begins once, ends when it is done or assigned no longer, and is reported
 * on every change and on every new link until its assignment is gone.
 */
import type { BuildReport } from "@elastic/proto/gen/elastic/fleet/v1/build.ts";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { BuildFailure } from "../domain/build-failure.ts";
import type { BuildSpec } from "../domain/build-spec.ts";
import { KeyedLock } from "../domain/keyed-lock.ts";
import { proverLog } from "../domain/prover-log.ts";
import type { AttemptLogs } from "../logs/attempt-logs.ts";
import { buildLog } from "./build-log.ts";
import type { BuildCall, BuiltImage, StageName } from "./run-build.ts";

export interface BuildsOptions {
  /** Null where this machine builds nothing. */
  readonly run: ((spec: BuildSpec, call: BuildCall) => Promise<BuiltImage>) | null;
  readonly whyNot: string;
  readonly logs: Pick<AttemptLogs, "begin">;
  readonly send: (report: BuildReport) => void;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Logger;
}

export interface Builds {
  /** All that this node shall build. */
  want(specs: readonly BuildSpec[]): void;
  onLinked(): void;
  running(): number;
  stop(): Promise<void>;
}

interface Stage {
  readonly name: StageName;
  readonly sinceMs: number;
}

interface Entry {
  readonly spec: BuildSpec;
  readonly ending: AbortController;
  readonly stages: Stage[];
  outcome: BuildReport["outcome"];
  endedMs: number | null;
}

const NOT_WANTED = new Error("the build is assigned no longer");

export function openBuilds(options: BuildsOptions): Builds {
  const { clock, log } = options;
  const entries = new Map<string, Entry>();
  /** Of all that began, assigned still or not: a sandbox takes a while to end. */
  const underWay = new Set<Promise<void>>();
  /** A team's disk is mounted for one build at a time. */
  const teams = new KeyedLock();

  const report = (entry: Entry): void => {
    if (!entry.ending.signal.aborted || entry.outcome !== undefined) options.send(reportOf(entry, clock.monotonicMs()));
  };

  const begin = (spec: BuildSpec): void => {
    const entry: Entry = {
      spec,
      ending: new AbortController(),
      stages: [{ name: "waiting", sinceMs: clock.monotonicMs() }],
      outcome: undefined,
      endedMs: null,
    };
    entries.set(spec.assignmentId, entry);
    const finished = carryOut(entry).finally(() => underWay.delete(finished));
    underWay.add(finished);
  };

  const carryOut = async (entry: Entry): Promise<void> => {
    const { spec, ending } = entry;
    const output = proverLog();
    const running = options.logs.begin(spec.log);
    running.follow(output);
    const stop = new AbortController();
    const signal = AbortSignal.any([ending.signal, stop.signal]);
    const timer = setTimeout(() => stop.abort(timedOut(spec)), spec.limits.timeoutMs);
    const own = buildLog({
      bytesMax: spec.limits.logBytes,
      append: (chunk) => output.write(chunk),
      onFull: (why) => stop.abort(why),
    });
    const onStage = (name: StageName): void => {
      entry.stages.push({ name, sinceMs: clock.monotonicMs() });
      report(entry);
    };
    try {
      if (options.run === null) throw new BuildFailure("internal", options.whyNot);
      const { run } = options;
      const image = await teams.run(spec.teamId, signal, () => run(spec, { log: own, onStage, signal }));
      entry.outcome = { $case: "succeeded", value: { digest: image.digest, bytes: BigInt(image.bytes) } };
      own.note(`built ${spec.repository}:${spec.tag}@${image.digest}`);
    } catch (error) {
      if (ending.signal.aborted) return;
      const failure = BuildFailure.from(stop.signal.aborted ? stop.signal.reason : error);
      const { reason, message, line } = failure;
      if (reason === "internal")
        log.error({ err: error, buildId: spec.buildId }, "a build failed by this machine's fault");
      own.note(`failed: ${message}`);
      entry.outcome = { $case: "failed", value: { reason, message, ...(line === null ? {} : { line }) } };
    } finally {
      clearTimeout(timer);
      output.end();
      running.end("");
      entry.endedMs = clock.monotonicMs();
      report(entry);
    }
  };

  return {
    want: (specs) => {
      const wanted = new Set(specs.map(({ assignmentId }) => assignmentId));
      for (const [id, entry] of entries) {
        if (wanted.has(id)) continue;
        entry.ending.abort(NOT_WANTED);
        entries.delete(id);
      }
      for (const spec of specs) if (!entries.has(spec.assignmentId)) begin(spec);
    },
    onLinked: () => {
      for (const entry of entries.values()) report(entry);
    },
    running: () => [...entries.values()].filter(({ endedMs }) => endedMs === null).length,
    stop: async () => {
      for (const { ending } of entries.values()) ending.abort(NOT_WANTED);
      await Promise.all(underWay);
    },
  };
}

function reportOf({ spec, stages, outcome, endedMs }: Entry, nowMs: number): BuildReport {
  const ends = [...stages.slice(1).map(({ sinceMs }) => sinceMs), endedMs ?? nowMs];
  return {
    assignmentId: spec.assignmentId,
    stages: stages.map(({ name, sinceMs }, index) => ({
      name,
      millis: BigInt(Math.round((ends[index] ?? nowMs) - sinceMs)),
    })),
    outcome,
  };
}

function timedOut({ limits }: BuildSpec): BuildFailure {
  return new BuildFailure("timeout", `the build took longer than ${Math.round(limits.timeoutMs / 1000)} seconds`);
}
