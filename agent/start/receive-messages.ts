/** What becomes of each message of a coordinator. */
import type { Welcome } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { Assignment } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { buildSpecOf } from "../domain/build-spec.ts";
import { specOf, type WorkloadSpec } from "../domain/workload-spec.ts";
import type { DrainOrders } from "../drain/drain-orders.ts";
import type { ImageLedger } from "../images/image-ledger.ts";
import type { Command } from "../link/links.ts";
import type { VolumeCache } from "../volumes/volume-cache.ts";
import type { SupervisedWorkload } from "../workloads/supervise.ts";
import type { LimitsOfWelcome } from "./limits-of-welcome.ts";
import type { Work } from "./start-work.ts";

export interface MessageParts {
  readonly work: Work;
  readonly volumes: VolumeCache;
  readonly images: ImageLedger;
  readonly drains: DrainOrders;
  readonly limits: LimitsOfWelcome;
  readonly reportWorkload: (workload: SupervisedWorkload) => void;
  /** The state of this machine's GPUs. */
  readonly reportGpus: () => void;
}

export interface Messages {
  onWelcome(welcome: Welcome): void;
  onCommand(command: Command): void;
}

export function receiveMessages(parts: MessageParts): Messages {
  const { work, volumes, images, drains, limits } = parts;
  /** What runs, of an assignment that is of a kind which this version does not know: it has not ended. */
  const runningOf = ({ assignmentId, workload }: Assignment): WorkloadSpec | undefined =>
    workload === undefined ? work.reconciler.workload(assignmentId)?.spec : undefined;
  return {
    onWelcome: (welcome) => {
      if (welcome.limits !== undefined) limits.set(welcome.limits);
      work.attempts.direct(welcome.directives);
      // Workloads may have changed while the hello was on its way.
      for (const workload of work.reconciler.workloads()) parts.reportWorkload(workload);
      drains.onLinked();
      work.outbox.onLinked();
      work.logs.onLinked();
      work.builds.onLinked();
      work.progress.onLinked();
      // So may GPUs.
      parts.reportGpus();
    },
    onCommand: (command) => {
      switch (command.$case) {
        case "assignments": {
          const specs = command.value.assignments.flatMap((each) => specOf(each) ?? runningOf(each) ?? []);
          volumes.want(new Set(specs.flatMap(({ volume }) => volume?.manifestSha256 ?? [])));
          images.want(new Set(specs.flatMap(({ image, verifierImage }) => [image, verifierImage ?? []].flat())));
          work.reconciler.want(specs);
          work.builds.want(command.value.assignments.map(buildSpecOf).filter((spec) => spec !== null));
          return;
        }
        case "attemptCommands":
          work.attempts.start(command.value.start);
          for (const { attempt } of command.value.cancel) if (attempt !== undefined) work.attempts.cancel(attempt);
          return;
        case "attemptAcks":
          for (const ack of command.value.acks) work.outbox.acknowledge(ack);
      }
    },
  };
}
