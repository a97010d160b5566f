/** The API on its socket. */

import type { AddressInfo } from "node:net";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Archive } from "../archive/archive.ts";
import type { AuditLog } from "../archive/audit-log.ts";
import type { TaskHistory } from "../archive/task-history.ts";
import { auditedStore } from "../audit/audited-store.ts";
import { KeyUses, startKeyUseLoop } from "../auth/key-uses.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import type { ClaimAtCreation } from "../domain/claim-at-creation.ts";
import type { Quotas } from "../domain/quotas.ts";
import type { Egress } from "../egress/egress.ts";
import type { EnrollmentAddress } from "../enrollment/enrollment-address.ts";
import { LoginFailures } from "../login/login-failures.ts";
import type { LoginProvider } from "../login/login-provider.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { NodeSightings } from "../nodes/node-sightings.ts";
import { NodeWork } from "../nodes/node-work.ts";
import type { ReleasesPlace } from "../program-releases/releases-folder.ts";
import { DemandBoard } from "../progress/demand-board.ts";
import { Outlook } from "../progress/outlook.ts";
import type { ProgressBoard } from "../progress/progress-board.ts";
import type { StartBoard } from "../progress/start-board.ts";
import type { OwnRegistry } from "../registry/own-registry.ts";
import type { ResolveImage } from "../registry/resolve-image.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { startSeries } from "../series/start-series.ts";
import type { OnPush } from "../source-hosts/on-push.ts";
import type { SourceHost } from "../source-hosts/source-host.ts";
import type { Coordinators } from "../store/coordinators.ts";
import type { StoreIdentity } from "../store/identity/store-identity.ts";
import type { Store } from "../store/store.ts";
import type { FollowedLogs } from "../task-logs/followed-logs.ts";
import type { ShellTerminals } from "../tunnels/shell-terminals.ts";
import type { Admission } from "./access/admission.ts";
import { FreshView } from "./access/fresh-view.ts";
import { buildApp } from "./app.ts";
import { RequestAudit } from "./audit/request-audit.ts";
import { BodyBudget } from "./body/body-budget.ts";
import { Transfers } from "./body/transfers.ts";
import type { App } from "./endpoint/fastify-app.ts";
import { InFlightBytes } from "./limits/in-flight-bytes.ts";
import { QuotaBook } from "./limits/quota-book.ts";
import { RateLimits, type RateSettings } from "./limits/rate-limits.ts";
import { type UnreferencedLimits, UnreferencedUploads } from "./limits/unreferenced-uploads.ts";
import { LogFollowers } from "./logs/log-followers.ts";
import type { ShellOffer } from "./shells/shell-offer.ts";
import { EventStreams } from "./sse/event-streams.ts";
import { TaskWaits } from "./tasks/task-waits.ts";
import { Terminals } from "./terminals/terminals.ts";

const CONNECTIONS_MAX = 50_000;
const CLOSE_IDLE_EVERY_MS = 50;
/** Requests without a complete response by then are cut. */
const CLOSE_WITHIN_MS = 10_000;

export interface HttpServerOptions {
  readonly store: Store;
  /** Never where it is left out. */
  readonly storeIsFull?: () => boolean;
  /** The same. */
  readonly storeIsNearlyFull?: () => boolean;
  /** Nothing where it is left out. */
  readonly clockComplaint?: () => string | null;
  /** Never where it is left out. */
  readonly isStopping?: () => boolean;
  /** The same store for ever where it is left out. */
  readonly storeIdentity?: Pick<StoreIdentity, "changed" | "onChanged">;
  readonly history: TaskHistory;
  readonly archive: Pick<Archive, "newest">;
  readonly auditLog: AuditLog;
  readonly blobs: BlobStore;
  readonly logs: FollowedLogs;
  readonly progress: ProgressBoard;
  readonly starts: StartBoard;
  readonly secrets: Secrets;
  /** None where they are left out. */
  readonly providers?: readonly LoginProvider[];
  /** The same. */
  readonly sourceHosts?: readonly SourceHost[];
  /** What a push to a service's branch starts; nothing where it is left out. */
  readonly onPush?: OnPush;
  readonly egress: Egress;
  readonly resolveImage: ResolveImage;
  readonly builtins: readonly string[];
  readonly registry: OwnRegistry | null;
  readonly shells: ShellOffer;
  /** Null where this process is connected to no machines. */
  readonly shellTerminals: ShellTerminals | null;
  readonly claims: ClaimAtCreation;
  readonly enrolment: EnrollmentAddress | null;
  readonly releases: ReleasesPlace;
  /** Names of programs that drivers of pools may be. */
  readonly poolCommands: ReadonlySet<string>;
  readonly sightings: NodeSightings;
  readonly coordinators: () => Promise<Coordinators>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "http" | "logs" | "loops" | "tasks" | "tracing">;
  readonly config: {
    readonly listen: { readonly host: string; readonly port: number };
    /** Where clients reach it, if that is not where it listens. */
    readonly publicUrl: string | null;
    readonly rates: RateSettings;
    /** The folder of the built console; none where it is left out. */
    readonly consoleFolder?: string | null;
    /** Has a folder for each template of new repositories; it may be absent. */
    readonly templatesFolder: string;
    /** Ranges of addresses; none where it is left out. */
    readonly trustedProxies?: readonly string[];
    /** Those of the service where they are left out. */
    readonly quotas?: Partial<Quotas>;
    /** The same. */
    readonly unreferencedUploads?: UnreferencedLimits;
  };
}

export interface HttpServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startHttp(options: HttpServerOptions): Promise<HttpServer> {
  const { config, metrics, store } = options;
  const waits = new TaskWaits(store.view.tasks, metrics.http);
  const streams = new EventStreams(metrics.http, store.view);
  const terminals = new Terminals(metrics.http);
  const logFollowers = new LogFollowers(metrics.logs);
  const nodeWork = new NodeWork(store.view);
  const unfollow = nodeWork.start();
  const outlook = new Outlook(store.view);
  const demand = new DemandBoard(store.view);
  const { archive, clock, log } = options;
  const series = startSeries({ view: store.view, archive, clock, log });
  const admission = admissionOf(options);
  const useLoop = startKeyUseLoop({ store, uses: admission.uses, loops: metrics.loops, log });
  const requestAudit = new RequestAudit();
  options.storeIdentity?.onChanged(() => {
    for (const open of [waits, streams, logFollowers]) open.stop();
  });
  let listening: string | null = null;
  const app = await buildApp({
    ...options,
    store: auditedStore(store, () => requestAudit.current(), options.clock),
    requestAudit,
    providers: options.providers ?? [],
    sourceHosts: options.sourceHosts ?? [],
    onPush: options.onPush ?? (async () => undefined),
    storeIsFull: options.storeIsFull ?? (() => false),
    storeIsNearlyFull: options.storeIsNearlyFull ?? (() => false),
    clockComplaint: options.clockComplaint ?? (() => null),
    isStopping: options.isStopping ?? (() => false),
    storeChanged: () => options.storeIdentity?.changed() ?? null,
    waits,
    streams,
    terminals,
    logFollowers,
    nodeWork,
    outlook,
    demand,
    series,
    bodyBudget: new BodyBudget(),
    transfers: new Transfers(),
    inFlightUploads: new InFlightBytes(),
    inFlightFiles: new InFlightBytes(),
    unreferencedUploads: new UnreferencedUploads(options.clock, config.unreferencedUploads),
    admission,
    quotas: new QuotaBook(config.quotas),
    trustedProxies: config.trustedProxies ?? [],
    consoleFolder: config.consoleFolder ?? null,
    templatesFolder: config.templatesFolder,
    publicUrl: () => config.publicUrl ?? listening ?? "",
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  await app.listen({ host: config.listen.host, port: config.listen.port });
  listening = urlOf(app.server.address() as AddressInfo);
  const open = [waits, streams, logFollowers, terminals, useLoop, { stop: unfollow }, outlook, demand];
  return { url: listening, stop: () => close(app, open).then(() => series.stop()) };
}

function admissionOf({ store, clock, log, config }: HttpServerOptions): Admission {
  return {
    freshView: new FreshView(store.view),
    rates: new RateLimits(config.rates, clock),
    uses: new KeyUses(),
    failures: new LoginFailures(log, clock),
  };
}

/**
 * Requests in progress get their responses; what waits or streams ends at once. The server does not close a connection that
 * becomes idle only after it began to close, and would wait for it until the keep-alive timeout: so idle ones are closed repeatedly.
 */
async function close(app: App, open: readonly { stop(): unknown }[]): Promise<void> {
  const stopped = open.map((each) => each.stop());
  const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_WITHIN_MS);
  await Promise.all([app.close(), ...stopped]);
  clearInterval(idle);
  clearTimeout(cut);
}

function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
