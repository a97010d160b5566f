/** One of each thing that a request can name, in a team. */
import { createHash } from "node:crypto";
import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { addLoginLink } from "../../accounts/add-login-link.ts";
import { newAccount } from "../../accounts/sign-up.ts";
import { parseKeyText } from "../../auth/key-text.ts";
import { makeDeviceCode } from "../../auth/make-device-code.ts";
import { makeSession } from "../../auth/make-session.ts";
import { failed, running } from "../../domain/build.ts";
import type { DeviceDecision } from "../../domain/device-code.ts";
import { beginRollOut, rollOutEvent, withEvents } from "../../domain/roll-out.ts";
import type { Service } from "../../domain/service.ts";
import type { ServiceSource } from "../../domain/service-source.ts";
import { ready } from "../../domain/shell.ts";
import type { SourceConnection } from "../../domain/source-connection.ts";
import { GRANT_MS } from "../../domain/source-grant.ts";
import { aBuild, aNode, aPool, aPoolToken } from "../../domain/testing/records.ts";
import { sealGrant } from "../../source-hosts/link-grant.ts";
import { create, replace } from "../../store/change.ts";
import type { Described } from "./api-document.ts";
import { type CallResponse, call } from "./call.ts";
import { AUTHORIZED_KEY, FILE, thingOf, WEBHOOK, withIds } from "./good-requests.ts";
import { addReadyService, addTenant, type HttpFixture, PROVIDER, SOURCE_HOST, type Tenant } from "./http-fixture.ts";
import { claimTask, succeedTask } from "./run-task.ts";

/**
 * Ids by the part of the path that stands before them: `/v1/tasks/{id}` names one of `tasks`. Further `files`, digests
 * of what was sent for volumes, `uploads`, `codes` of invitations into another team, tokens of `login-links`, user codes
 * of programs' logins in `device`, device codes of such that were approved in `device-codes`, the name
 * of a provider in `login`, the names of the user and the team in `user-names` and `team-names`, and the `origin` of the console. None is what the caller
 * itself stands on, so that each may be deleted.
 */
export type TenantThings = Readonly<Record<string, string>>;

export async function tenantThings(api: HttpFixture, tenant: Tenant): Promise<TenantThings> {
  const service = await addReadyService(api.store, tenant);
  await endRollOut(api, service);
  await addOtherOwner(api, tenant);
  const of = (path: string, body: string): Promise<CallResponse> => call(api.url + path, { key: tenant.key, body });
  const invited = await of(`/v1/teams/${tenant.teamId}/invitations`, "{}");
  return {
    services: service.id,
    deployments: service.currentDeploymentId ?? "",
    tasks: await endedTask(api, tenant, service),
    batches: await endedBatch(api, tenant, service),
    volumes: await volumeOf(api, tenant),
    builds: await endedBuild(api, tenant, service),
    teams: tenant.teamId,
    "user-names": api.store.view.users.get(tenant.userId)?.value.name ?? "",
    "team-names": api.store.view.teams.get(tenant.teamId)?.value.name ?? "",
    members: await memberOf(api, tenant),
    users: await memberOf(api, tenant),
    keys: (await of("/v1/keys", '{"name":"spare","scopes":["tasks:read"]}')).json.key_id,
    "authorized-keys": (await of("/v1/me/authorized-keys", AUTHORIZED_KEY)).json.key_id,
    invitations: invited.json.invitation_id,
    files: digest(FILE),
    uploads: JSON.parse((await of("/v1/uploads", '{"n":1}')).text).upload_id,
    codes: await codeFor(api),
    "join-tokens": (await of("/v1/join-tokens", "{}")).json.join_token_id,
    nodes: await nodeOf(api),
    ...(await poolOf(api)),
    shells: await readyShell(api, (await of("/v1/shells", "{}")).json.shell_id),
    origin: api.url,
    "login-links": await loginLinkOf(api, tenant),
    accounts: await accountOf(api, tenant),
    login: PROVIDER.name,
    device: (await deviceCodeOf(api, null)).userCode,
    "device-codes": (await deviceCodeOf(api, tenant)).text,
    sessions: await sessionOf(api, tenant),
    "source-hosts": SOURCE_HOST.name,
    ...(await sourceOf(api, tenant, service)),
    ...(await webhookOf(api, tenant, service.id)),
  };
}

async function loginLinkOf({ store }: HttpFixture, { userId }: Tenant): Promise<string> {
  const user = store.view.users.get(userId);
  if (user === undefined) throw new Error(`there is no user ${userId}`);
  return (await addLoginLink(store, user.value, systemClock)).token;
}

/** Approved by the user, where there is one. */
async function deviceCodeOf({ store }: HttpFixture, approvedBy: Tenant | null) {
  const of = { hostName: "laptop", address: "127.0.0.1", scopes: ["keys"] } as const;
  const { record, text } = makeDeviceCode(of, () => false, Date.now());
  const decision: DeviceDecision | null = approvedBy && {
    kind: "approved",
    userId: approvedBy.userId,
    defaultTeamId: approvedBy.teamId,
    byKeyId: parseKeyText(approvedBy.key)?.id ?? "",
    keyExpiresAt: null,
  };
  await store.commit([create("device-codes", { ...record, decision })]);
  return { userCode: record.userCode, text };
}

/** One of two: the last one stays. */
async function accountOf({ store }: HttpFixture, { userId }: Tenant): Promise<string> {
  const [first, second] = ["1", "2"].map((subject) =>
    newAccount({ issuer: "https://id.example", subject: userId + subject, login: "ada", domains: [] }, userId, 0),
  );
  if (first === undefined || second === undefined) throw new Error("no accounts");
  await store.commit([create("accounts", first), create("accounts", second)]);
  return first.id;
}

async function sessionOf(api: HttpFixture, { userId, teamId }: Tenant): Promise<string> {
  const of = { userId, defaultTeamId: teamId, provider: "login-link", userAgent: "browser" };
  const { record } = makeSession(of, Date.now());
  await api.store.commit([create("sessions", record)]);
  return record.id;
}

/** Without machines, so that it may be deleted. */
async function poolOf({ store }: HttpFixture) {
  const pool = aPool({ id: `pool-${newId(Date.now()).slice(-8)}` });
  const token = aPoolToken(pool, { id: newId(Date.now()), expiresAt: Date.now() + 3_600_000 });
  await store.commit([create("pools", pool), create("pool-tokens", token)]);
  return { pools: pool.id, "pool-tokens": token.id };
}

async function nodeOf({ store }: HttpFixture): Promise<string> {
  const id = newId(Date.now());
  await store.commit([create("nodes", aNode(id))]);
  return id;
}

/** Returns its id. */
export async function readyShell({ store }: HttpFixture, id: string): Promise<string> {
  const shell = await store.get("shells", id);
  if (shell === null) throw new Error(`there is no shell ${id}`);
  await store.commit([replace("shells", shell, ready(shell.value, Date.now()))]);
  return id;
}

/** What the service is built from. In bodies, one of the two is another's while that of `own-` stays. */
async function sourceOf({ store, secrets }: HttpFixture, { userId, teamId }: Tenant, { id: serviceId }: Service) {
  const now = Date.now();
  const [connectionId, repositoryId] = [newId(now), newId(now)];
  const of = { host: SOURCE_HOST.name, installationId: newId(now), userId, teamId };
  const connection: SourceConnection = {
    ...of,
    id: connectionId,
    account: { id: "7", login: "ada", kind: "user" },
    createdAt: now,
    linkedAt: now,
    repositoryIds: [repositoryId],
    omittedRepositories: 0,
    state: { kind: "active" },
  };
  const source: ServiceSource = {
    ...of,
    id: serviceId,
    connectionId,
    repositoryId,
    repositoryName: "ada/prover",
    branch: "main",
    deployOnPush: true,
    baseDir: "",
    setAt: now,
  };
  const token = { token: "ghu_own", expiresAt: now + GRANT_MS };
  const grant = sealGrant(secrets, token, { connectionId, userId }, now);
  await store.commit([
    create("source-connections", connection),
    create("service-sources", source),
    create("source-grants", grant),
  ]);
  return {
    "source-connections": connectionId,
    connections: connectionId,
    "own-connections": connectionId,
    repositories: repositoryId,
    "own-repositories": repositoryId,
  };
}

/** So that a follower receives its end. */
async function endRollOut({ store }: HttpFixture, { id, teamId, currentDeploymentId }: Service): Promise<void> {
  const now = Date.now();
  const of = { id: currentDeploymentId ?? "", serviceId: id, teamId };
  const begun = beginRollOut(of, { receivedAt: now, resolvedAt: now }, null);
  await store.commit([create("roll-outs", withEvents(begun, [rollOutEvent("ready", now)]))]);
}

/** With a result and a log, both complete. */
async function endedTask(api: HttpFixture, { key, teamId }: Tenant, { id }: Service): Promise<string> {
  const { json } = await call(`${api.url}/v1/services/${id}`, { key, body: '{"input":1}' });
  const ref = { teamId, taskId: json.task_id, attempt: 1 };
  await claimTask(api, ref.taskId);
  await api.logs.append(ref, 0, Buffer.from("a line\n"));
  await api.logs.complete(ref);
  await succeedTask(api, ref.taskId, "secret");
  return ref.taskId;
}

/** Of one task, which has ended. */
async function endedBatch(api: HttpFixture, { key }: Tenant, { id }: Service): Promise<string> {
  const { json } = await call(`${api.url}/v1/services/${id}/batch`, { key, body: '{"inputs":[1]}' });
  for (const taskId of json.task_ids) {
    await claimTask(api, taskId);
    await succeedTask(api, taskId, "secret");
  }
  return json.batch_id;
}

/** With its source and a log, both complete. */
async function endedBuild(api: HttpFixture, { teamId }: Tenant, { id: serviceId }: Service): Promise<string> {
  const { sha256, bytes } = await api.blobs.put(teamId, [Buffer.from("a source")] as never, { bytesMax: 100 });
  const build = aBuild({ teamId, serviceId, source: { kind: "archive", sha256, bytes } });
  const place = { assignmentId: newId(Date.now()), nodeId: newId(Date.now()) };
  const failure = { reason: "build_failed", message: "a step failed", line: 2 } as const;
  const ended = failed(running(build, place, Date.now()), failure, Date.now());
  await api.store.commit([create("builds", ended)]);
  const ref = { teamId, taskId: build.id, attempt: 1 };
  await api.logs.append(ref, 0, Buffer.from("a line\n"));
  await api.logs.complete(ref);
  return build.id;
}

async function memberOf({ store }: HttpFixture, { teamId }: Tenant): Promise<string> {
  const now = Date.now();
  const userId = newId(now);
  const membership = create("memberships", { userId, teamId, role: "member", createdAt: now });
  await store.commit([create("users", { id: userId, name: "member", createdAt: now }), membership]);
  return userId;
}

/** So that the caller may be deleted. */
async function addOtherOwner({ store }: HttpFixture, { teamId }: Tenant): Promise<void> {
  const [userId, createdAt] = [newId(Date.now()), Date.now()];
  const membership = create("memberships", { userId, teamId, role: "owner", createdAt });
  await store.commit([create("users", { id: userId, name: "other owner", createdAt }), membership]);
}

async function codeFor(api: HttpFixture): Promise<string> {
  const host = await addTenant(api.store, "host");
  const url = `${api.url}/v1/teams/${host.teamId}/invitations`;
  return JSON.parse((await call(url, { key: host.key, body: "{}" })).text).code;
}

async function webhookOf(api: HttpFixture, { key }: Tenant, serviceId: string) {
  const made = await call(`${api.url}/v1/services/${serviceId}/webhooks`, { key, body: WEBHOOK });
  const { webhook_id: webhooks } = JSON.parse(made.text);
  const tested = await call(`${api.url}/v1/webhooks/${webhooks}/test`, { key, method: "POST" });
  return { webhooks, deliveries: JSON.parse(tested.text).delivery_id };
}

async function volumeOf(api: HttpFixture, { key }: Tenant): Promise<string> {
  const sha256 = digest(FILE);
  const headers = { "content-type": "application/octet-stream" };
  await call(`${api.url}/v1/volumes/files/${sha256}`, { key, method: "PUT", body: FILE, headers });
  const files = [{ path: "key", sha256, bytes: FILE.length }];
  return (await call(`${api.url}/v1/volumes`, { key, body: JSON.stringify({ name: "keys", files }) })).json.volume_id;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What a request has to say in its query, by method and path. */
const QUERIES: Readonly<Record<string, string>> = {
  "GET /v1/search": "?q=prover",
  "DELETE /v1/me": "?name={user-names}",
  "DELETE /v1/teams/{id}": "?name={team-names}",
};

/** The path with an id in each place, and its query; `instead` replaces the ids of one noun. */
export function fill(
  { method, path }: Pick<Described, "path"> & Partial<Pick<Described, "method">>,
  things: TenantThings,
  instead?: { readonly noun: string; readonly id: string },
): string {
  const filled = path.replace(/([^/]+)\/\{\w+\}/g, (_, noun: string) => {
    return `${noun}/${instead?.noun === noun ? instead.id : thingOf(things, noun)}`;
  });
  return filled + encodeURI(withIds(QUERIES[`${method} ${path}`] ?? "", things));
}

/** What operators have, and no team; and what is in the settings. */
const OF_NO_TEAM = ["nodes", "join-tokens", "pools", "pool-tokens", "users", "source-hosts"];

/** The nouns of teams' things whose ids the path names. A digest is no id: it names bytes that the caller has. */
export function nounsOf({ path }: Pick<Described, "path">): readonly string[] {
  const nouns = [...path.matchAll(/([^/]+)\/\{(?!sha256)\w+\}/g)].map(([, noun = ""]) => noun);
  return nouns.filter((noun) => !OF_NO_TEAM.includes(noun));
}

export function unknownId(): string {
  return newId(Date.now());
}
