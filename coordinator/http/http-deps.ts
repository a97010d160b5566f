/** What the endpoints act on; wired by main. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
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
import type { Outlook } from "../progress/outlook.ts";
import type { ProgressBoard } from "../progress/progress-board.ts";
import type { StartBoard } from "../progress/start-board.ts";
import type { OwnRegistry } from "../registry/own-registry.ts";
import type { ResolveImage } from "../registry/resolve-image.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Series } from "../series/start-series.ts";
import type { OnPush } from "../source-hosts/on-push.ts";
import type { SourceHost } from "../source-hosts/source-host.ts";
import type { Coordinators } from "../store/coordinators.ts";
import type { Store } from "../store/store.ts";
import type { FollowedLogs } from "../task-logs/followed-logs.ts";
import type { ShellTerminals } from "../tunnels/shell-terminals.ts";
import type { Admission } from "./admission.ts";
import type { RequestAudit } from "./audit/request-audit.ts";
import type { BodyBudget } from "./body/body-budget.ts";
import type { Transfers } from "./body/transfers.ts";
import type { InFlightBytes } from "./limits/in-flight-bytes.ts";
import type { QuotaBook } from "./limits/quota-book.ts";
import type { UnreferencedUploads } from "./limits/unreferenced-uploads.ts";
import type { LogFollowers } from "./logs/log-followers.ts";
import type { ShellOffer } from "./shells/shell-offer.ts";
import type { EventStreams } from "./sse/event-streams.ts";
import type { TaskWaits } from "./task-waits.ts";
import type { Terminals } from "./terminals/terminals.ts";

export interface HttpDeps {
  /** Finds archived tasks too; its view has those that are live. What requests commit is in the audit log. */
  readonly store: Store;
  readonly series: Pick<Series, "get" | "since">;
  readonly storeIsFull: () => boolean;
  readonly history: TaskHistory;
  readonly auditLog: AuditLog;
  readonly requestAudit: RequestAudit;
  readonly blobs: BlobStore;
  readonly logFollowers: LogFollowers;
  readonly logs: Pick<FollowedLogs, "read" | "state" | "listen">;
  readonly progress: Pick<ProgressBoard, "get">;
  readonly starts: Pick<StartBoard, "subscribe" | "ofDeployment">;
  readonly secrets: Secrets;
  readonly providers: readonly LoginProvider[];
  readonly sourceHosts: readonly SourceHost[];
  readonly onPush: OnPush;
  readonly egress: Egress;
  readonly resolveImage: ResolveImage;
  /** Names of provers that agents run without a container. */
  readonly builtins: readonly string[];
  /** Null where the service has none of its own. */
  readonly registry: OwnRegistry | null;
  readonly shells: ShellOffer;
  /** Null where this process is connected to no machines. */
  readonly shellTerminals: ShellTerminals | null;
  readonly terminals: Terminals;
  readonly claims: ClaimAtCreation;
  /** Null where machines are not enrolled. */
  readonly enrolment: EnrollmentPlace | null;
  /** What each node holds. */
  readonly nodeWork: Pick<NodeWork, "attemptsOn" | "assignmentsOn" | "holdersOn" | "remainingOn">;
  readonly sightings: NodeSightings;
  /** Those that agents are linked to. */
  readonly coordinators: () => Promise<Coordinators>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: { readonly http: HttpMetrics; readonly logs: LogMetrics; readonly tasks: TaskMetrics };
  readonly waits: TaskWaits;
  readonly outlook: Pick<Outlook, "ofTask" | "ofService">;
  readonly streams: EventStreams;
  readonly bodyBudget: BodyBudget;
  readonly transfers: Transfers;
  readonly inFlightUploads: InFlightBytes;
  readonly inFlightFiles: InFlightBytes;
  readonly unreferencedUploads: UnreferencedUploads;
  readonly admission: Admission;
  readonly quotas: QuotaBook;
  /** Ranges of addresses whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Where the built console lies; null for none. */
  readonly consoleFolder: string | null;
  /** Where the templates of new repositories lie, a folder for each; it may be absent. */
  readonly templatesFolder: string;
  /** Without a slash at the end; begins every link in a record. */
  readonly publicUrl: () => string;
}
