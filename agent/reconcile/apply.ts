/**
 * Carries plans out: keeps the workloads of this node in step with the newest set of assignments. Woken by a new
 * set and by a timer, which finds containers that belong to nobody.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { startLoop } from "@elastic/std/loop.ts";
import type { Driver, FoundWorkload } from "../domain/driver.ts";
import { builtinName, type WorkloadSpec } from "../domain/workload-spec.ts";
import { verifierSpec, withVerifier } from "../verify/with-verifier.ts";
import { type SupervisedWorkload, type SuperviseOptions, supervise } from "../workloads/supervise.ts";
import { type Action, plan } from "./plan.ts";

export interface Reconciler {
  /** The node shall run this and nothing else. */
  want(specs: readonly WorkloadSpec[]): void;
  /** Looks for what stands, before its time. */
  look(): void;
  workload(assignmentId: string): SupervisedWorkload | undefined;
  workloads(): readonly SupervisedWorkload[];
  /** Ends every workload. */
  stop(): Promise<void>;
}

export interface ReconcilerOptions {
  readonly docker: Driver;
  readonly shells: Driver;
  readonly builtin: Driver;
  readonly onState: (workload: SupervisedWorkload) => void;
  readonly onStarted: SuperviseOptions["onStarted"];
  readonly clock: Clock;
  readonly log: Logger;
}

/** Unknown containers with this node's label are removed within a minute. */
const LOOK_EVERY_MS = 30_000;

interface Entry {
  readonly workload: SupervisedWorkload;
  /** Set once it is being ended. */
  gone: Promise<void> | null;
}

export function startReconciler(options: ReconcilerOptions): Reconciler {
  const { docker, builtin, shells, log } = options;
  const entries = new Map<string, Entry>();
  let wanted: readonly WorkloadSpec[] | null = null;
  let stopped = false;

  const driverOf = (spec: WorkloadSpec): Driver => {
    if (spec.shell !== null) return shells;
    return builtinName(spec) === null ? docker : builtin;
  };

  const end = (assignmentId: string): Promise<void> => {
    const entry = entries.get(assignmentId);
    if (entry === undefined) return Promise.resolve();
    entry.gone ??= entry.workload
      .stop()
      .catch((error: unknown) => log.error({ err: error, assignmentId }, "a workload could not be ended cleanly"))
      .then(() => {
        entries.delete(assignmentId);
        // It may be wanted again by now.
        loop.wake();
      });
    return entry.gone;
  };

  const start = async (spec: WorkloadSpec, found: FoundWorkload | null, after: readonly string[]): Promise<void> => {
    await Promise.all(after.map((assignmentId) => entries.get(assignmentId)?.gone));
    if (stopped || entries.has(spec.assignmentId)) return;
    log.info({ assignmentId: spec.assignmentId, image: spec.image, adopts: found?.handle }, "workload is assigned");
    entries.set(spec.assignmentId, { workload: bringUp(spec, found), gone: null });
  };

  const bringUp = (spec: WorkloadSpec, found: FoundWorkload | null): SupervisedWorkload => {
    const { clock, onState, onStarted } = options;
    const one = (of: WorkloadSpec, left: FoundWorkload | null) => (report: ReconcilerOptions["onState"]) =>
      supervise({ spec: of, driver: driverOf(of), found: left, clock, log, onState: report, onStarted });
    const verifier = verifierSpec(spec);
    if (verifier === null) return one(spec, found)(onState);
    return withVerifier(one(spec, found), one(verifier, null), onState);
  };

  const act = async (action: Action): Promise<void> => {
    switch (action.kind) {
      case "stop":
        void end(action.assignmentId);
        return;
      case "remove":
        log.info(
          { container: action.found.handle, assignmentId: action.found.assignmentId },
          "removing what is assigned no longer",
        );
        await action.found.remove();
        return;
      case "start":
        await start(action.spec, action.found, action.after);
    }
  };

  const reconcile = async (): Promise<void> => {
    if (wanted === null || stopped) return;
    const found = (await Promise.all([docker.find(), shells.find()])).flat();
    const standing = [...entries.values()].map(({ workload, gone }) => ({
      spec: workload.spec,
      stopping: gone !== null,
    }));
    const actions = plan(wanted, standing, found);
    await Promise.all(
      actions.map((action) =>
        act(action).catch((error: unknown) =>
          log.error({ err: error, action: action.kind }, "a step of the reconciliation failed"),
        ),
      ),
    );
  };

  /** A turn that was requested meanwhile sees the newest set. */
  const loop = startLoop({
    everyMs: LOOK_EVERY_MS,
    turn: reconcile,
    onOutcome: (outcome) => {
      if (outcome.kind === "succeeded") return;
      log.error({ err: outcome.error }, "the node's workloads could not be compared with what is assigned");
    },
  });

  return {
    want: (specs) => {
      wanted = specs;
      loop.wake();
    },
    look: loop.wake,
    workload: (assignmentId) => entries.get(assignmentId)?.workload,
    workloads: () => [...entries.values()].map(({ workload }) => workload),
    stop: async () => {
      stopped = true;
      await loop.stop();
      await Promise.all([...entries.keys()].map(end));
    },
  };
}
