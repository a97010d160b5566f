/** The API on its own socket, over a store in memory with two teams in it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog, type Logger } from "@elastic/std/log.ts";
import type { Archive } from "../../archive/archive.ts";
import { AuditLog } from "../../archive/audit-log.ts";
import { openSqlArchive } from "../../archive/sql/sql-archive.ts";
import { openSqlite } from "../../archive/sql/sqlite.ts";
import { withHistory } from "../../archive/store-with-history.ts";
import { TaskHistory } from "../../archive/task-history.ts";
import { readPublicKey } from "../../auth/authorized-key.ts";
import { hashSecret } from "../../auth/key-secret.ts";
import { formatKeyText, newKeyText } from "../../auth/key-text.ts";
import type { BlobStore } from "../../blobs/blob-store.ts";
import { openFileBlobs } from "../../blobs/file-blobs.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import { type ClaimAtCreation, NO_CLAIMS } from "../../domain/claim-at-creation.ts";
import type { Deployment } from "../../domain/deployment.ts";
import { deploy, newService, rolledOut, type Service } from "../../domain/service.ts";
import { openEgress } from "../../egress/egress.ts";
import { LoginError } from "../../login/login-error.ts";
import type { LoginProvider } from "../../login/login-provider.ts";
import { createMetrics, type Metrics } from "../../metrics/metrics.ts";
import { NO_SIGHTINGS } from "../../nodes/node-sightings.ts";
import { ProgressBoard } from "../../progress/progress-board.ts";
import { StartBoard } from "../../progress/start-board.ts";
import { openOwnRegistry } from "../../registry/own-registry.ts";
import type { ImageResolution, ResolveImage } from "../../registry/resolve-image.ts";
import { openSecrets, type Secrets } from "../../secrets/secrets.ts";
import type { SourceHost, SourceRepository } from "../../source-hosts/source-host.ts";
import { SourceHostError } from "../../source-hosts/source-host-error.ts";
import { create } from "../../store/change.ts";
import { readCoordinators } from "../../store/coordinators.ts";
import { Memory } from "../../store/memory/memory.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Store } from "../../store/store.ts";
import { openFileTaskLogs } from "../../task-logs/file-task-logs.ts";
import { type FollowedLogs, followedLogs } from "../../task-logs/followed-logs.ts";
import type { ShellTerminals } from "../../tunnels/shell-terminals.ts";
import { TunnelError } from "../../tunnels/tunnels.ts";
import { type HttpServer, type HttpServerOptions, startHttp } from "../server.ts";

export interface Tenant {
  readonly userId: string;
  readonly teamId: string;
  /** Text of a key with every scope. */
  readonly key: string;
}

export interface HttpFixture {
  readonly url: string;
  /** The memory of the store, for further coordinators. */
  readonly memory: Memory;
  readonly kv: MemoryKv;
  readonly store: Store;
  readonly archive: Archive;
  readonly blobs: BlobStore;
  readonly logs: FollowedLogs;
  readonly progress: ProgressBoard;
  readonly starts: StartBoard;
  readonly secrets: Secrets;
  readonly metrics: Metrics;
  readonly own: Tenant;
  readonly other: Tenant;
  readonly server: HttpServer;
  /** What it was started with. */
  readonly options: HttpServerOptions;
  /** What the next deployments' images resolve to. */
  image: ImageResolution;
  /** How they resolve; by default to that. */
  resolveImage: ResolveImage;
  /** Where new tasks find a place; nowhere unless a test says so. */
  claims: ClaimAtCreation;
  /** How terminals come to shells; none does unless a test says so. */
  shellTerminals: ShellTerminals;
  close(): Promise<void>;
}

/** Where nothing listens: the images of these tests are never pulled. */
const REGISTRY = {
  address: { host: "127.0.0.1:1", base: "http://127.0.0.1:1" },
  service: "elastic-registry",
  issuer: "elastic",
};
/** What tests of something else never reach. */
const UNLIMITED = {
  keyReads: 1e6,
  keyWrites: 1e6,
  teamReads: 1e6,
  teamWrites: 1e6,
  unauthenticated: 1e6,
};

/** A login provider at which nobody logs in. */
export const PROVIDER: LoginProvider = {
  name: "nobody",
  title: "Nobody",
  signUp: [],
  authorizationUrl: async () => new URL("https://id.example/authorize"),
  identify: async () => {
    throw new LoginError("provider_refused");
  },
};

const REPOSITORY: SourceRepository = {
  id: "1",
  fullName: "ada/prover",
  defaultBranch: "main",
  isPrivate: true,
  isFork: false,
};

/** A source host whose installations have every repository, and whose events need no signature. */
export const SOURCE_HOST: SourceHost = {
  name: "hub",
  title: "Hub",
  url: "https://hub.example",
  grants: null,
  installationUrl: async () => new URL("https://hub.example/install"),
  authorizationUrl: async () => new URL("https://hub.example/authorize"),
  redeemCode: async () => Promise.reject(new SourceHostError("authorization_failed")),
  readInstallation: async () => Promise.reject(new SourceHostError("not_listed")),
  listRepositories: async () => [REPOSITORY],
  readRepository: async ({ repositoryId: id }) => ({ ...REPOSITORY, id }),
  resolveCommit: async () => ({ commit: "0".repeat(40), title: "", author: "" }),
  openArchive: async () => Promise.reject(new SourceHostError("host_down")),
  setCommitStatus: async () => undefined,
  createRepository: async (_, { name }) => ({ ...REPOSITORY, fullName: `ada/${name}` }),
  readDelivery: () => ({ deliveryId: "1", knownBy: ["1"], event: null }),
};

/** Of a gateway that nobody reaches. */
export const GATEWAY_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";

const SILENT = createLog({ name: "test", level: "silent" });

/** `given` goes before what it is started with otherwise. */
export async function startHttpFixture(
  log: Logger = SILENT,
  given: Partial<HttpServerOptions> = {},
): Promise<HttpFixture> {
  const dir = mkdtempSync(join(tmpdir(), "http-"));
  const memory = new Memory();
  const kv = memoryKv(memory);
  const store = await openStore({ kv, clock: systemClock, log });
  const blobs = await openFileBlobs({ dir: join(dir, "blobs"), storeId: store.blobStoreId });
  const logs = followedLogs(openFileTaskLogs(join(dir, "blobs")));
  const progress = new ProgressBoard();
  const starts = new StartBoard();
  const secrets = openSecrets({ keyFile: join(dir, "keys") });
  const metrics = createMetrics();
  const own = await addTenant(store, "own");
  const other = await addTenant(store, "other");
  const archive = await openSqlArchive(await openSqlite({ file: ":memory:" }), newId(0));
  const options: HttpServerOptions = {
    store: withHistory(store, archive, systemClock),
    history: new TaskHistory(store.view.tasks, archive),
    archive,
    auditLog: new AuditLog(store.view, archive),
    blobs,
    logs,
    progress,
    starts,
    secrets,
    providers: [PROVIDER],
    sourceHosts: [SOURCE_HOST],
    egress: openEgress({ allow: [{ kind: "range", range: { base: [127, 0, 0, 0], prefixBits: 8 } }] }),
    builtins: ["noop", "poseidon"],
    resolveImage: (image, teamId) => fixture.resolveImage(image, teamId),
    registry: openOwnRegistry(REGISTRY, secrets, systemClock),
    shells: {
      images: new Map([["base", "127.0.0.1:1/shell:v1"]]),
      egress: [{ host: "crates.io", below: true, port: 443 }],
      gateway: { address: { host: "shells.example", port: 2222 }, hostKey: readPublicKey(GATEWAY_KEY) },
    },
    claims: { reserve: (task) => fixture.claims.reserve(task) },
    shellTerminals: { open: (request, signal) => fixture.shellTerminals.open(request, signal) },
    poolCommands: new Set(["cloud"]),
    releases: { folder: "/none", keysFile: "/none" },
    enrolment: {
      coordinator: "control.example:8444",
      authority: async () => ({ certificate: "ab".repeat(32), file: "cd".repeat(32) }),
    },
    sightings: NO_SIGHTINGS,
    coordinators: () => readCoordinators(kv),
    clock: systemClock,
    log,
    metrics,
    config: {
      listen: { host: "127.0.0.1", port: 0 },
      publicUrl: null,
      rates: UNLIMITED,
      templatesFolder: join(dir, "templates"),
    },
    ...given,
  };
  const server = await startHttp(options);
  const fixture: HttpFixture = {
    url: server.url,
    memory,
    kv,
    store,
    archive,
    blobs,
    logs,
    progress,
    starts,
    secrets,
    metrics,
    own,
    other,
    server,
    options,
    image: { kind: "resolved", image: "builtin:noop", tag: null },
    resolveImage: async () => fixture.image,
    claims: NO_CLAIMS,
    shellTerminals: { open: () => Promise.reject(new TunnelError("there are no machines")) },
    close: async () => {
      await server.stop();
      await archive.close();
      await store.close();
      await kv.close();
      rmSync(dir, { recursive: true });
    },
  };
  return fixture;
}

export async function addTenant(store: Store, name: string): Promise<Tenant> {
  const now = Date.now();
  const userId = newId(now);
  const teamId = newId(now);
  const team = create("teams", { id: teamId, name: `team ${name}`, createdAt: now });
  const user = create("users", { id: userId, name: `user ${name}`, createdAt: now });
  const membership = create("memberships", { userId, teamId, role: "owner", createdAt: now });
  await store.commit([team, user, membership]);
  return { userId, teamId, key: await addKey(store, { userId, defaultTeamId: teamId }) };
}

/** Returns the key's text. */
export async function addKey(
  store: Store,
  given: Pick<AccessKey, "userId" | "defaultTeamId"> & Partial<AccessKey>,
): Promise<string> {
  const text = newKeyText();
  const key: AccessKey = {
    id: text.id,
    name: "key",
    teamId: null,
    scopes: ["admin"],
    secretSha256: hashSecret(text.secret),
    createdAt: Date.now(),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...given,
  };
  await store.commit([create("access-keys", key)]);
  return formatKeyText(text);
}

/** A service that is ready. */
export async function addReadyService(store: Store, tenant: Tenant): Promise<Service> {
  const now = Date.now();
  const deploymentId = newId(now);
  const bare = newService({
    id: newId(now),
    teamId: tenant.teamId,
    name: "prover",
    creatorId: tenant.userId,
    createdAt: now,
  });
  const service = rolledOut(deploy(bare, deploymentId));
  const deployment: Deployment = {
    id: deploymentId,
    serviceId: service.id,
    teamId: tenant.teamId,
    creatorId: tenant.userId,
    createdAt: now,
    image: "builtin:noop",
    tag: "v1",
    verifierImage: null,
    volume: null,
    rollbackOf: null,
    sealedEnv: null,
    resources: {
      gpuCount: 0,
      gpuModel: null,
      gpuMemoryBytes: 0,
      cpuMillis: 1000,
      memoryBytes: 1 << 30,
      pids: 64,
      tmpBytes: 1 << 20,
    },
    scaling: { min: 1, max: 1, idleTimeoutMs: 60_000, targetQueueMs: 10_000 },
    limits: { budgets: { queueMs: 60_000, startMs: 60_000, runMs: 60_000 }, concurrency: 1, proverRetries: 0 },
  };
  await store.commit([create("services", service), create("deployments", deployment)]);
  return service;
}
