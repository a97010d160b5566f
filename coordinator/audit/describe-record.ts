/**
 * What the audit log shows of each kind of record: the fields that are named here and no other, so that no secret
 * reaches it. Changes of kinds that are not here are part of another's and are not shown.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type AuditFacts, type AuditObject, OF_NO_TEAM } from "../domain/audit-entry.ts";
import type { Pool } from "../domain/pool.ts";
import type { RecordKind } from "../store/keys.ts";
import type { RecordTypes } from "../store/store.ts";

export interface DescribedRecord {
  readonly object: AuditObject;
  /** Null where the record does not say: then it is that of the call. */
  readonly teamId: string | null;
  readonly facts: AuditFacts;
}

type Describers = { readonly [K in RecordKind]?: (record: RecordTypes[K]) => DescribedRecord };

const DESCRIBERS: Describers = {
  services: (service) =>
    described("service", service, {
      service_name: service.name,
      state: service.state.kind,
      current_deployment_id: service.currentDeploymentId,
      next_deployment_id: service.nextDeploymentId,
      result_retention_seconds: service.resultRetentionMs === undefined ? null : service.resultRetentionMs / 1000,
    }),
  deployments: (deployment) =>
    described(
      "deployment",
      { ...deployment, name: deployment.tag },
      {
        service_id: deployment.serviceId,
        image: deployment.image,
        verifier_image: deployment.verifierImage,
        volume_id: deployment.volume?.id ?? null,
        rollback_of: deployment.rollbackOf,
        has_environment: deployment.sealedEnv !== null,
        gpu_count: deployment.resources.gpuCount,
        gpu_type: deployment.resources.gpuModel,
        cpu_millis: deployment.resources.cpuMillis,
        memory_bytes: deployment.resources.memoryBytes,
        workloads_min: deployment.scaling.min,
        workloads_max: deployment.scaling.max,
      },
    ),
  webhooks: (webhook) =>
    described("webhook", webhook, {
      service_id: webhook.serviceId,
      webhook_name: webhook.name,
      url: withoutQuery(webhook.url),
      event_types: webhook.types,
      enabled: webhook.state.kind === "enabled",
      secrets: webhook.secrets.length,
    }),
  deliveries: (delivery) =>
    described(
      "delivery",
      { ...delivery, name: null },
      { webhook_id: delivery.webhookId, type: delivery.type, state: delivery.phase.kind },
    ),
  "source-connections": (connection) =>
    described(
      "source_connection",
      { ...connection, name: `${connection.host}/${connection.account.login}` },
      {
        host: connection.host,
        account: connection.account.login,
        installation_id: connection.installationId,
        user_id: connection.userId,
        state: connection.state.kind,
        repositories: connection.repositoryIds.length,
      },
    ),
  "service-sources": (source) =>
    described(
      "service_source",
      { ...source, name: source.repositoryName },
      {
        connection_id: source.connectionId,
        repository_id: source.repositoryId,
        repository_name: source.repositoryName,
        branch: source.branch,
        deploy_on_push: source.deployOnPush,
        base_dir: source.baseDir,
      },
    ),
  tasks: (task) =>
    described("task", { ...task, name: task.serviceName }, { service_id: task.serviceId, phase: task.phase.kind }),
  builds: (build) =>
    described(
      "build",
      { ...build, name: null },
      {
        service_id: build.serviceId,
        source_sha256: build.source?.sha256 ?? null,
        repository: build.origin?.from.repositoryName ?? null,
        state: build.state.kind,
        no_cache: build.noCache,
        retry_of: build.retryOf,
        reused_from: build.reusedFrom,
      },
    ),
  volumes: (volume) =>
    described("volume", volume, {
      volume_name: volume.name,
      files: volume.files,
      bytes: volume.bytes,
      manifest_sha256: volume.manifestSha256,
    }),
  shells: (shell) =>
    described("shell", shell, {
      shell_name: shell.name,
      state: shell.state.kind,
      image: shell.imageName,
      gpu_count: shell.resources.gpuCount,
      gpu_type: shell.resources.gpuModel,
      egress: shell.egress ?? [],
      password_login: shell.passwordLogin ?? true,
    }),
  teams: (team) =>
    described(
      "team",
      { ...team, teamId: team.id },
      { team_name: team.name, origins: team.origins ?? [], ...(team.deleted && { deleted: true }) },
    ),
  users: (user) =>
    described(
      "user",
      { ...user, teamId: null },
      {
        user_name: user.name,
        operator: user.operator ?? false,
        ...(user.deleted && { deleted: true }),
        authorized_keys: (user.authorizedKeys ?? []).map(({ fingerprint }) => fingerprint),
      },
    ),
  accounts: (account) =>
    described(
      "account",
      { ...account, teamId: null, name: account.login },
      { user_id: account.userId, issuer: account.issuer, login: account.login },
    ),
  memberships: ({ userId, teamId, role }) => described("member", { id: userId, teamId, name: null }, { role }),
  invitations: (invitation) =>
    described(
      "invitation",
      { ...invitation, name: null },
      { role: invitation.role, expires: timeText(invitation.expiresAt) },
    ),
  "access-keys": (key) =>
    described(
      "key",
      { ...key, teamId: key.teamId ?? key.defaultTeamId },
      {
        key_name: key.name,
        scopes: key.scopes,
        team_id: key.teamId,
        expires: key.expiresAt === null ? null : timeText(key.expiresAt),
        revoked: key.revokedAt !== null,
        ...(key.disabledAt !== undefined && { disabled: true }),
      },
    ),
  sessions: (session) =>
    described(
      "session",
      { ...session, teamId: session.defaultTeamId, name: null },
      { provider: session.provider, user_agent: session.userAgent },
    ),
  "login-links": (link) =>
    described(
      "login_link",
      { ...link, teamId: null, name: null },
      { user_id: link.userId, expires: timeText(link.expiresAt) },
    ),
  "join-tokens": (token) =>
    described(
      "join_token",
      { ...token, teamId: OF_NO_TEAM, name: token.nodeName },
      { node_name: token.nodeName, expires: timeText(token.expiresAt) },
    ),
  pools: (pool) =>
    described(
      "pool",
      { ...pool, teamId: OF_NO_TEAM, name: pool.id },
      {
        min: pool.min,
        max: pool.max,
        warm_spare: pool.warmSpare,
        cooldown_seconds: pool.cooldownMs / 1000,
        boot_seconds: pool.bootMs / 1000,
        cost_per_hour: pool.costPerHour,
        budget_per_hour: pool.budgetPerHour,
        budget_per_day: pool.budgetPerDay,
        driver: pool.driver.kind === "webhook" ? withoutQuery(pool.driver.url) : pool.driver.name,
        stopped: pool.stopped?.reason ?? null,
        ...offerFacts(pool.offer),
      },
    ),
  "pool-tokens": (token) =>
    described(
      "pool_token",
      { ...token, teamId: OF_NO_TEAM, name: token.poolId },
      { pool: token.poolId, uses_max: token.usesMax, expires: timeText(token.expiresAt) },
    ),
  nodes: (node) =>
    described(
      "node",
      { ...node, teamId: OF_NO_TEAM, name: node.id },
      {
        state: node.state,
        drains: node.drain !== undefined,
        evicted: node.evictedAt !== undefined,
        ...(node.drain?.quarantine && { quarantined: node.drain.quarantine.reason }),
      },
    ),
  "agent-upgrades": (upgrade) =>
    described(
      "agent_upgrade",
      { ...upgrade, teamId: OF_NO_TEAM, name: upgrade.version },
      {
        version: upgrade.version,
        rolls_back: upgrade.rollbackFrom !== null,
        state: upgrade.state.kind,
        batch_size: upgrade.batchSize,
      },
    ),
  "requeue-orders": (order) =>
    described("requeue_order", { ...order, teamId: OF_NO_TEAM, name: null }, { until: timeText(order.until) }),
};

/** Null for a kind that the audit log does not show. */
export function describeRecord(kind: RecordKind, record: object): DescribedRecord | null {
  const describe = DESCRIBERS[kind] as ((record: object) => DescribedRecord) | undefined;
  return describe?.(record) ?? null;
}

function described(
  kind: string,
  { id, teamId, name }: { readonly id: string; readonly teamId: string | null; readonly name: string | null },
  facts: AuditFacts,
): DescribedRecord {
  return { object: { kind, id, name }, teamId, facts };
}

function offerFacts(offer: Pool["offer"]): AuditFacts {
  return {
    offer_gpu_type: offer.gpuType,
    offer_gpu_count: offer.gpuCount,
    offer_gpu_memory_bytes: offer.gpuMemoryBytes,
    offer_slots: offer.slots,
    offer_cpu_cores: offer.cpuCores,
    offer_memory_bytes: offer.memoryBytes,
    offer_node_labels: Object.entries(offer.labels).map(([name, value]) => `${name}=${value}`),
    offer_containers: offer.containers,
    offer_builtin_provers: offer.builtinProvers,
    offer_shells: offer.shells,
  };
}

/** Some receivers take a token in the query, or a password before the host. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function timeText(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 19);
}
