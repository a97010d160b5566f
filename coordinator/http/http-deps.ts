/** All that the endpoints act on, handed to each as far as it needs it; wired by main. */

import type { AuditLog } from "../archive/audit-log.ts";
import type { TaskHistory } from "../archive/task-history.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { ClaimAtCreation } from "../domain/claim-at-creation.ts";
import type { Egress } from "../egress/egress.ts";
import type { EnrollmentPlace } from "../enrollment/enrollment-place.ts";
import type { LoginProvider } from "../login/login-provider.ts";
import type { HttpMetrics } from "../metrics/http-metrics.ts";
import type { LogMetrics } from "../metrics/log-metrics.ts";
import type { TaskMetrics } from "../metrics/task-metrics.ts";
import type { NodeSightings } from "../nodes/node-sightings.ts";
import type { NodeWork } from "../nodes/node-work.ts";
import type { OutlookDeps } from "../progress/outlook.ts";
import type { ProgressBoard } from "../progress/progress-board.ts";
import type { StartBoard } from "../progress/start-board.ts";
import type { OwnRegistry } from "../registry/own-registry.ts";
import type { ResolveImage } from "../registry/resolve-image.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Series } from "../series/start-series.ts";
import type { OnPush } from "../source-hosts/on-push.ts";
import type { Coordinators } from "../store/coordinators.ts";
import type { StoreChangedError } from "../store/kv.ts";
import type { RequestAudit } from "./audit/request-audit.ts";
import type { BodyBudget } from "./body/body-budget.ts";
import type { TransferDeps } from "./body/transfers.ts";
import type { CallerDeps } from "./caller.ts";
import type { InFlightBytes } from "./limits/in-flight-bytes.ts";
import type { QuotaDeps } from "./limits/quota-book.ts";
import type { UnreferencedUploadDeps } from "./limits/unreferenced-uploads.ts";
import type { LogDeps } from "./logs/log-followers.ts";
import type { RecordDeps } from "./record-deps.ts";
import type { ShellDeps } from "./shells/shell-offer.ts";
import type { SourceHostDeps } from "./source-hosts/find-source.ts";
import type { StreamDeps } from "./sse/event-streams.ts";
import type { WaitDeps } from "./task-waits.ts";
import type { TerminalDeps } from "./terminals/terminals.ts";

export interface HttpDeps
  extends CallerDeps,
    RecordDeps,
    QuotaDeps,
    StreamDeps,
    LogDeps,
    ShellDeps,
    TerminalDeps,
    UnreferencedUploadDeps,
    TransferDeps,
    WaitDeps,
    OutlookDeps,
    SourceHostDeps {
  readonly series: Pick<Series, "get" | "since">;
  readonly storeIsFull: () => boolean;
  /** Null while the store is the one that was known. */
  readonly storeChanged: () => StoreChangedError | null;
  readonly history: TaskHistory;
  readonly auditLog: AuditLog;
  readonly requestAudit: RequestAudit;
  readonly blobs: BlobStore;
  readonly progress: Pick<ProgressBoard, "get">;
  readonly starts: Pick<StartBoard, "subscribe" | "ofDeployment">;
  readonly secrets: Secrets;
  readonly providers: readonly LoginProvider[];
  readonly onPush: OnPush;
  readonly egress: Egress;
  readonly resolveImage: ResolveImage;
  /** Names of provers that agents run without a container. */
  readonly builtins: readonly string[];
  /** Null where the installation has none. */
  readonly registry: OwnRegistry | null;
  readonly claims: ClaimAtCreation;
  /** Null where machines are not enrolled. */
  readonly enrolment: EnrollmentPlace | null;
  /** What each node holds. */
  readonly nodeWork: Pick<NodeWork, "attemptsOn" | "assignmentsOn" | "holdersOn" | "remainingOn">;
  readonly sightings: NodeSightings;
  /** Those that agents are linked to. */
  readonly coordinators: () => Promise<Coordinators>;
  readonly metrics: { readonly http: HttpMetrics; readonly logs: LogMetrics; readonly tasks: TaskMetrics };
  readonly bodyBudget: BodyBudget;
  readonly inFlightUploads: InFlightBytes;
  readonly inFlightFiles: InFlightBytes;
  /** Ranges of addresses whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** The folder of the built console; null for none. */
  readonly consoleFolder: string | null;
  /** Has a folder for each template of new repositories; it may be absent. */
  readonly templatesFolder: string;
}
