/**
 * The composition root: builds the parts from the configuration, in the order in which they need each other, and
 * stops them in reverse. What is not started yet, or failed to start, is not stopped.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Clock, systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import type { Logger } from "@elastic/std/log.ts";
import { listenFor } from "@elastic/std/net/listen-error.ts";
import { listenForMetrics } from "@elastic/std/net/metrics-listener.ts";
import type { Archive } from "./archive/archive.ts";
import { AuditLog } from "./archive/audit-log.ts";
import { observeLive } from "./archive/observe-live.ts";
import { openArchive } from "./archive/open-archive.ts";
import { withHistory } from "./archive/store-with-history.ts";
import { TaskHistory } from "./archive/task-history.ts";
import type { Config } from "./config.ts";
import { NO_CLAIMS } from "./domain/claim-at-creation.ts";
import type { DescribeEvent } from "./domain/delivery-message.ts";
import { openEgress } from "./egress/egress.ts";
import { enrolmentPlace, hostAndPort } from "./enrolment/enrolment-place.ts";
import { startEnrollServer } from "./fleet/enroll-server.ts";
import { startFleet } from "./fleet/fleet-server.ts";
import type { RateSettings } from "./http/limits/rate-limits.ts";
import { type HttpServerOptions, startHttp } from "./http/server.ts";
import { openProviders } from "./login/open-providers.ts";
import { meteredKv } from "./metrics/metered-kv.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { NO_SIGHTINGS } from "./nodes/node-sightings.ts";
import { openBytes } from "./open-bytes.ts";
import { openTrust, type Trust } from "./open-trust.ts";
import { ProgressBoard } from "./progress/progress-board.ts";
import { StartBoard } from "./progress/start-board.ts";
import { eventData } from "./public/event-data.ts";
import type { SshGateway } from "./public/ssh-gateway.ts";
import { type OwnRegistry, openOwnRegistry } from "./registry/own-registry.ts";
import { digestResolver } from "./registry/resolve-digest.ts";
import { buildPushed } from "./releases/build-pushed.ts";
import { openSecrets, type Secrets } from "./secrets/secrets.ts";
import { listen } from "./setting-formats.ts";
import { SETTINGS, type SettingName } from "./settings.ts";
import { type Linked, type PartsWithHistory, part, type SharedParts } from "./shared-parts.ts";
import { RecordDirectory } from "./shells/record-directory.ts";
import { webTerminals } from "./shells/web-terminals.ts";
import { openSourceHosts } from "./source-hosts/open-source-hosts.ts";
import { TEMPLATES_FOLDER } from "./source-hosts/read-template.ts";
import { startLeading } from "./start-leading.ts";
import { type Announcement, announce, readCoordinators } from "./store/coordinators.ts";
import { connectEtcd } from "./store/etcd/etcd-kv.ts";
import { campaign, type Leadership } from "./store/leadership.ts";
import { openStore } from "./store/open-store.ts";
import { StoreRoom } from "./store/store-room.ts";
import type { ShellTerminals } from "./tunnels/shell-terminals.ts";
import type { Tunnels } from "./tunnels/tunnels.ts";
import { COORDINATOR_VERSION } from "./version.ts";
import { startWebhooks } from "./webhooks/start-webhooks.ts";

const BUILTIN_PROVERS = ["poseidon", "poseidon-verify", "ivc-minroot", "ivc-minroot-verify"];
const BUILTIN_TEST_PROVERS = ["noop", "clock", "echo", "sleep", "crash"];

/** What console/ is built to. */
const CONSOLE_FOLDER = join(import.meta.dirname, "..", "console", "dist");

export interface Serving {
  stop(): Promise<void>;
}

export async function serve(config: Config, log: Logger): Promise<Serving> {
  await using starting = new AsyncDisposableStack();
  const clock = systemClock;
  const metrics = createMetrics();
  const etcd = connectEtcd({ endpoints: config.etcd, log: part(log, "etcd") });
  const room = new StoreRoom({ clock, log: part(log, "store") });
  const kv = room.noting(meteredKv(etcd, metrics.store, clock));
  starting.defer(() => kv.close());
  const store = await openStore({ kv, clock, log: part(log, "store") });
  starting.defer(() => store.close());
  metrics.store.observe({ viewAgeMs: () => store.view.ageMs(), isFull: () => room.isFull() });
  const archive = await openHistory({ config, kv, store, clock, metrics, log }, starting);
  const { blobs, logs } = await openBytes(config, store.blobStoreId, starting);
  const progress = new ProgressBoard();
  starting.defer(progress.follow(store.view.tasks));
  const starts = new StartBoard();
  starting.defer(starts.follow(store.view.assignments));
  const secrets = openSecrets({ keyFile: config.secretsKeyFile });
  const registry = ownRegistry(config, secrets, clock);
  const builtins = builtinsOf(config);
  const resolveImage = digestResolver({ registries: config.registries, own: registry, builtins });
  const sourceHosts = openSourceHosts(config.sourceHosts, clock);
  const egress = openEgress({ allow: config.egressAllow });
  const metricsListener = await listensAs(
    "metricsListen",
    listenForMetrics({ source: metrics.registry, listen: config.metricsListen, log: part(log, "metrics") }),
  );
  starting.defer(() => metricsListener.stop());
  const base: SharedParts = {
    kv,
    store,
    blobs,
    logs,
    progress,
    starts,
    secrets,
    registry,
    resolveImage,
    sourceHosts,
    egress,
    storeIsFull: () => room.isFull(),
    config,
    clock,
    metrics,
    log,
  };
  const linked = takesLinks(config) ? await startLinks(base, starting) : null;
  const { ssh, shellTerminals } = linked === null ? NO_SHELLS : await startShells(base, linked.fleet.tunnels, starting);
  const shells = {
    images: config.shellImages,
    egress: config.shellEgress,
    gateway: await gatewayOf(base, ssh),
  };
  let http: string | null = null;
  if (archive !== null) {
    const history = new TaskHistory(store.view.tasks, archive);
    const shared: PartsWithHistory = { ...base, archive, history, readable: withHistory(store, archive, clock) };
    const sightings = linked?.fleet.links ?? NO_SIGHTINGS;
    const claims = linked === null ? NO_CLAIMS : startLeading(shared, linked, starting);
    if (config.roles.includes("http"))
      http = await startApi(shared, { claims, shells, shellTerminals, sightings }, starting);
    if (config.roles.includes("webhooks")) startSending(shared, config.publicUrl ?? http ?? "", starting);
  }
  const { grpc = null, enroll = null } = linked ?? {};
  log.info(
    { http, grpc, ssh, enroll, metrics: `http://${metricsListener.address}/metrics`, roles: config.roles },
    "ready",
  );
  const parts = starting.move();
  return { stop: () => parts.disposeAsync() };
}

/** Null for a gateway alone, which has nothing to do with tasks that have ended. */
async function openHistory(
  {
    config,
    kv,
    store,
    clock,
    metrics,
    log,
  }: Pick<SharedParts, "config" | "kv" | "store" | "clock" | "metrics" | "log">,
  starting: AsyncDisposableStack,
): Promise<Archive | null> {
  if (config.roles.every((role) => role === "ssh")) return null;
  const archive = await openArchive({ location: config.archive, kv, clock, log: part(log, "archive") });
  starting.defer(() => archive.close());
  observeLive(metrics.archive, store.view.tasks, clock);
  return archive;
}

/** A gateway takes the agents' links too: users' bytes travel over them. */
function takesLinks({ roles, sshListen }: Config): boolean {
  return roles.includes("fleet") || (roles.includes("ssh") && sshListen !== null);
}

/** Links to agents. */
async function startLinks(shared: SharedParts, starting: AsyncDisposableStack): Promise<Linked> {
  const { config, kv, clock, log } = shared;
  const coordinatorId = newId(clock.now());
  const leadership = config.roles.includes("scheduler")
    ? campaign({ kv, coordinatorId, clock, log: part(log, "leadership") })
    : NEVER_LEADS;
  starting.defer(() => leadership.stop());
  const trust = await openTrust(shared);
  // The agents are told where all coordinators are, which is known once this one listens.
  let announced: Announcement | null = null;
  const coordinators = { addresses: () => announced?.addresses() ?? [] };
  const opening = startFleet({
    ...shared,
    leadership,
    log: part(log, "fleet"),
    coordinators,
    authority: trust.own?.authority ?? null,
    config: {
      listen: hostAndPort(config.grpcListen),
      tls: trust.tls,
      coordinatorId,
      logBytesMax: config.taskLogBytesMax,
      shellEgress: config.shellEgress,
      certificateLifeMs: 1000 * config.certificateLife,
    },
  });
  const fleet = await listensAs("grpcListen", opening);
  starting.defer(() => fleet.stop());
  const grpcAddress = config.grpcAdvertise ?? fleet.address;
  const { roles } = config;
  const facts = { id: coordinatorId, grpcAddress, version: COORDINATOR_VERSION, roles, startedAt: clock.now() };
  const announcement = await announce({ kv, facts, log: part(log, "announce") });
  announced = announcement;
  starting.defer(() => announcement.stop());
  const enroll = await startEnrolling(shared, trust, coordinators, starting);
  return { grpc: fleet.address, enroll, fleet, leadership };
}

/** Answers its address. */
async function startApi(
  shared: PartsWithHistory,
  given: Pick<HttpServerOptions, "claims" | "shells" | "shellTerminals" | "sightings">,
  starting: AsyncDisposableStack,
): Promise<string> {
  const { config, kv, store, archive, readable, clock, log } = shared;
  const opening = startHttp({
    ...shared,
    store: readable,
    auditLog: new AuditLog(store.view, archive),
    onPush: buildPushed({ ...shared, log: part(log, "releases") }),
    ...given,
    enrolment: enrolmentPlace(config, kv),
    coordinators: () => readCoordinators(kv),
    providers: openProviders(config.loginProviders, clock),
    log: part(log, "http"),
    builtins: builtinsOf(config),
    config: {
      listen: config.httpListen,
      publicUrl: config.publicUrl,
      rates: ratesOf(config),
      trustedProxies: config.trustedProxies,
      consoleFolder: config.console ? findConsole(log) : null,
      templatesFolder: TEMPLATES_FOLDER,
    },
  });
  const http = await listensAs("httpListen", opening);
  starting.defer(() => http.stop());
  return http.url;
}

/** Null, and a line in the log, where it was not built. */
function findConsole(log: Logger): string | null {
  if (existsSync(join(CONSOLE_FOLDER, "index.html"))) return CONSOLE_FOLDER;
  log.warn(
    { folder: CONSOLE_FOLDER },
    "the console is not built, so none is served: `npm run build --workspace console`",
  );
  return null;
}

/** The ways into shells. */
interface WaysIn {
  /** Where users log in over SSH; null where they do not. */
  readonly ssh: string | null;
  readonly shellTerminals: ShellTerminals | null;
}

const NO_SHELLS: WaysIn = { ssh: null, shellTerminals: null };

async function startShells(shared: SharedParts, tunnels: Tunnels, starting: AsyncDisposableStack): Promise<WaysIn> {
  const { config, clock, log } = shared;
  const directory = new RecordDirectory({ ...shared, log: part(log, "shells") });
  starting.defer(directory.start());
  const shellTerminals = webTerminals({ directory, tunnels, clock, log: part(log, "terminals") });
  if (config.sshListen === null || !config.roles.includes("ssh")) return { ssh: null, shellTerminals };
  // Its protocol takes a while to load, and most coordinators do without.
  const { startSsh } = await import("./shells/start-ssh.ts");
  const opening = startSsh({ ...shared, directory, tunnels, listen: config.sshListen, log: part(log, "ssh") });
  const gateway = await listensAs("sshListen", opening);
  starting.defer(() => gateway.stop());
  return { ssh: gateway.address, shellTerminals };
}

/** What users are told of it, also by processes that listen for nobody's ssh. */
async function gatewayOf({ config, kv, secrets }: SharedParts, ssh: string | null): Promise<SshGateway | null> {
  const address = config.sshAdvertise ?? (ssh === null ? null : listen.parse(ssh));
  if (address === null) return null;
  const { readPublicHostKey } = await import("./shells/host-key.ts");
  return { address, hostKey: await readPublicHostKey(kv, secrets) };
}

/** What is told of an event is worded by the API. */
function startSending(shared: PartsWithHistory, publicUrl: string, starting: AsyncDisposableStack): void {
  const source = { ...shared, store: shared.readable, publicUrl: () => publicUrl };
  const describe: DescribeEvent = (delivery, bytesMax) => eventData(source, delivery, bytesMax);
  const webhooks = startWebhooks({ ...shared, describe, log: part(shared.log, "webhooks") });
  starting.defer(() => webhooks.stop());
}

/** Of a process without the scheduler, which takes reports but commands nothing. */
const NEVER_LEADS: Leadership = {
  epoch: () => null,
  subscribe: () => () => undefined,
  stop: async () => undefined,
};

function ownRegistry(config: Config, secrets: Secrets, clock: Clock): OwnRegistry | null {
  const { registry: address, registryService: service, registryIssuer: issuer } = config;
  return address === null ? null : openOwnRegistry({ address, service, issuer }, secrets, clock);
}

function ratesOf(config: Config): RateSettings {
  return {
    keyReads: config.rateKeyReads,
    keyWrites: config.rateKeyWrites,
    teamReads: config.rateTeamReads,
    teamWrites: config.rateTeamWrites,
    unauthenticated: config.rateUnauthenticated,
  };
}

function builtinsOf({ builtinTestProvers }: Config): readonly string[] {
  return builtinTestProvers ? [...BUILTIN_PROVERS, ...BUILTIN_TEST_PROVERS] : BUILTIN_PROVERS;
}

/** Answers where it listens, or null where machines are not enrolled. */
async function startEnrolling(
  shared: SharedParts,
  { own }: Trust,
  coordinators: { addresses(): readonly string[] },
  starting: AsyncDisposableStack,
): Promise<string | null> {
  const { enrollListen, certificateLife } = shared.config;
  if (own === null || enrollListen === null) return null;
  const opening = startEnrollServer({
    ...shared,
    ...own,
    listen: hostAndPort(enrollListen),
    certificateLifeMs: 1000 * certificateLife,
    coordinators,
    log: part(shared.log, "enrolment"),
  });
  const server = await listensAs("enrollListen", opening);
  starting.defer(() => server.stop());
  return server.address;
}

/** What cannot listen says which setting told it to. */
function listensAs<T>(name: SettingName, listening: Promise<T>): Promise<T> {
  const { env, flag } = SETTINGS[name];
  return listenFor(`${env} (${flag})`, listening);
}
