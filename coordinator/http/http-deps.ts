/** All that the endpoints act on, handed to each as far as it needs it; wired by server.ts. */
import type { Tracing } from "@elastic/std/tracing/tracing.ts";
import type { ClaimAtCreation } from "../domain/claim-at-creation.ts";
import type { HttpMetrics } from "../metrics/http-metrics.ts";
import type { LogMetrics } from "../metrics/log-metrics.ts";
import type { TaskMetrics } from "../metrics/task-metrics.ts";
import type { NodeSightings } from "../nodes/node-sightings.ts";
import type { NodeWork } from "../nodes/node-work.ts";
import type { DemandDeps } from "../progress/demand-board.ts";
import type { OutlookDeps } from "../progress/outlook.ts";
import type { ProgressBoard } from "../progress/progress-board.ts";
import type { CallerDeps } from "./access/caller.ts";
import type { AuditLogDeps } from "./audit/list-audit.ts";
import type { RequestAudit } from "./audit/request-audit.ts";
import type { BodyBudgetDeps } from "./body/body-budget.ts";
import type { TransferDeps } from "./body/transfers.ts";
import type { BuiltinDeps } from "./deployments/list-builtin-provers.ts";
import type { BlobDeps } from "./deps/blob-deps.ts";
import type { ChangedStoreDeps } from "./deps/changed-store-deps.ts";
import type { EgressDeps } from "./deps/egress-deps.ts";
import type { HistoryDeps } from "./deps/history-deps.ts";
import type { ImageDeps } from "./deps/image-deps.ts";
import type { ProviderDeps } from "./deps/provider-deps.ts";
import type { RecordDeps } from "./deps/record-deps.ts";
import type { RegistryDeps } from "./deps/registry-deps.ts";
import type { SecretDeps } from "./deps/secret-deps.ts";
import type { SeriesDeps } from "./deps/series-deps.ts";
import type { StartDeps } from "./deps/start-deps.ts";
import type { CoordinatorDeps } from "./fleet/get-fleet.ts";
import type { EnrollmentDeps } from "./join-tokens/create-join-token.ts";
import type { QuotaDeps } from "./limits/quota-book.ts";
import type { NearlyFullDeps } from "./limits/refuse-nearly-full.ts";
import type { UnreferencedUploadDeps } from "./limits/unreferenced-uploads.ts";
import type { LogDeps } from "./logs/log-followers.ts";
import type { ClockDeps, StopDeps, StoreRoomDeps } from "./operations/health.ts";
import type { PoolCommandDeps } from "./pools/check-driver-command.ts";
import type { ShellDeps } from "./shells/shell-offer.ts";
import type { TemplateDeps } from "./source-hosts/create-source-repository.ts";
import type { SourceHostDeps } from "./source-hosts/find-source.ts";
import type { PushDeps } from "./source-hosts/receive-source-event.ts";
import type { StreamDeps } from "./sse/event-streams.ts";
import type { WaitDeps } from "./tasks/task-waits.ts";
import type { TerminalDeps } from "./terminals/terminals.ts";
import type { UploadDeps } from "./uploads/create-upload.ts";
import type { VolumeFileDeps } from "./volumes/put-volume-file.ts";

export interface HttpDeps
  extends AuditLogDeps,
    BlobDeps,
    BodyBudgetDeps,
    BuiltinDeps,
    CallerDeps,
    ChangedStoreDeps,
    CoordinatorDeps,
    DemandDeps,
    EgressDeps,
    EnrollmentDeps,
    HistoryDeps,
    ImageDeps,
    LogDeps,
    NearlyFullDeps,
    OutlookDeps,
    PoolCommandDeps,
    ProviderDeps,
    PushDeps,
    QuotaDeps,
    RecordDeps,
    RegistryDeps,
    SecretDeps,
    SeriesDeps,
    ShellDeps,
    SourceHostDeps,
    StartDeps,
    StoreRoomDeps,
    ClockDeps,
    StopDeps,
    StreamDeps,
    TemplateDeps,
    TerminalDeps,
    TransferDeps,
    UnreferencedUploadDeps,
    UploadDeps,
    VolumeFileDeps,
    WaitDeps {
  readonly requestAudit: RequestAudit;
  readonly progress: Pick<ProgressBoard, "get">;
  readonly claims: ClaimAtCreation;
  /** What each node holds. */
  readonly nodeWork: Pick<NodeWork, "attemptsOn" | "assignmentsOn" | "holdersOn" | "remainingOn">;
  readonly sightings: NodeSightings;
  readonly metrics: {
    readonly http: HttpMetrics;
    readonly logs: LogMetrics;
    readonly tasks: TaskMetrics;
    readonly tracing: Tracing;
  };
  /** Ranges of addresses whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** The folder of the built console; null for none. */
  readonly consoleFolder: string | null;
}
