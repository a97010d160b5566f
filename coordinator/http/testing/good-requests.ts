/** For every operation of the document a request that succeeds, so that only what a test changes in it decides. */
import { newId } from "@elastic/std/ids.ts";
import type { Described, Operation, Schema } from "./api-document.ts";
import type { TenantThings } from "./tenant-things.ts";

/** What `files` of tenant-things.ts is the digest of. */
export const FILE = "proving key";
export const WEBHOOK = '{"name":"hook","url":"https://hooks.example/"}';
const POOL = '{"max":4,"offer":{"cpu_cores":4,"memory_bytes":1000000},"driver":{"kind":"command","name":"cloud"}}';
export const AUTHORIZED_KEY =
  '{"key":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl laptop"}';
const SSH_CLIENT_KEY = AUTHORIZED_KEY.replace("key", "client_key");

/** By operation. `{services}` stands for the id of a thing of the caller's team. */
const BODIES: Readonly<Record<string, string>> = {
  createTask: '{"input":1}',
  createBatch: '{"inputs":[1,{"n":2}]}',
  cancelTasks: '{"task_ids":["{tasks}"]}',
  addAuthorizedKey: AUTHORIZED_KEY,
  createKey: '{"name":"ci","scopes":["keys"]}',
  createInvitation: '{"role":"member"}',
  changeMember: '{"role":"viewer"}',
  createTeam: '{"name":"studio"}',
  changeTeam: '{"name":"renamed"}',
  putPool: POOL,
  createPoolToken: "{}",
  createJoinToken: '{"node_name":"gpu-7"}',
  acceptInvitation: '{"code":"{codes}"}',
  createService: '{"service_name":"made-{new}"}',
  changeService: '{"result_retention_seconds":7200}',
  createDeployment: '{"image":"builtin:noop"}',
  rollBack: '{"deployment_id":"{deployments}"}',
  createBuild: `{"source":{"parts":[{"sha256":"{files}","bytes":${FILE.length}}]}}`,
  retryBuild: "{}",
  createVolume: `{"name":"made","files":[{"path":"key","sha256":"{files}","bytes":${FILE.length}}]}`,
  createOperatedUser: '{"name":"made","team_id":"{teams}"}',
  createDeviceCode: '{"host_name":"laptop"}',
  decideDeviceLogin: '{"approve":true}',
  redeemDeviceCode: '{"device_code":"{device-codes}"}',
  linkAccount: '{"provider":"{login}"}',
  createSession: '{"login_token":"{login-links}"}',
  createWebhook: WEBHOOK,
  changeWebhook: '{"name":"renamed"}',
  startSourceLink: "{}",
  receiveSourceEvent: '{"action":"ping"}',
  createSourceRepository: '{"name":"made-{new}","template":"poseidon"}',
  putServiceSource: '{"connection_id":"{connections}","repository_id":"{repositories}","branch":"main"}',
  createShell: '{"shell_name":"made"}',
  createSshTicket: SSH_CLIENT_KEY,
  createUpload: '{"a":1}',
  putVolumeFile: FILE,
};

/** By operation, next to the type of its body. */
const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createSession: { origin: "{origin}" },
};

/** Where an id is named outside the path: `operation member` of a body or a query. Each succeeds with the caller's own. */
const NAMING: Readonly<Record<string, string>> = {
  "createTask input_upload_id": '{"input_upload_id":"{uploads}"}',
  "cancelTasks task_ids": '{"task_ids":["{tasks}"]}',
  "cancelTasks service_id": '{"service_id":"{services}"}',
  "createOperatedUser team_id": '{"name":"made","team_id":"{teams}"}',
  "createKey team_id": '{"name":"ci","scopes":["keys"],"team_id":"{teams}"}',
  "createDeployment volume_id": '{"image":"registry:1/prover","volume_id":"{volumes}"}',
  "createDeployment env_deployment_id": '{"image":"registry:1/prover","env_deployment_id":"{deployments}"}',
  "rollBack deployment_id": '{"deployment_id":"{deployments}"}',
  "startSourceLink connection_id": '{"connection_id":"{connections}"}',
  "putServiceSource connection_id":
    '{"connection_id":"{connections}","repository_id":"{own-repositories}","branch":"main"}',
  "putServiceSource repository_id":
    '{"connection_id":"{own-connections}","repository_id":"{repositories}","branch":"main"}',
  "listTasks service_id": "?service_id={services}",
  "exportTasks service_id": "?service_id={services}",
  "exportTasks team_id": "?team_id={teams}",
  "followTeam team_id": "?team_id={teams}",
  "listAudit user_id": "?user_id={members}",
  "listAudit object_id": "?object_id={services}",
  "listOperatorAudit user_id": "?user_id={members}",
  "listOperatorAudit object_id": "?object_id={services}",
};

export interface Naming {
  readonly member: string;
  /** A body, or a query; the one noun in braces stands for the id. */
  readonly text: string;
  readonly noun: string;
}

/** Every member of its body and its query that names an id. */
export function namingsOf({ operationId, requestBody, parameters = [] }: Operation): readonly Naming[] {
  const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
  const members = [
    ...schemas.flatMap(memberNames),
    ...parameters.filter((one) => one.in === "query").map(({ name }) => name),
  ];
  return members
    .filter((name) => /_ids?$/.test(name) && name !== "last_event_id")
    .map((member) => {
      const text = NAMING[`${operationId} ${member}`];
      if (text === undefined)
        throw new Error(`${operationId} names a ${member}: say in good-requests.ts how it is requested`);
      return { member, text, noun: /\{(\w+)\}/.exec(text)?.[1] ?? "" };
    });
}

function memberNames({ properties = {}, items, anyOf = [] }: Schema): readonly string[] {
  const within = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf];
  return [...Object.keys(properties), ...within.flatMap(memberNames)];
}

/** Its body, where it takes one, with ids still as they are named here. */
export function goodBody({ operationId, requestBody }: Operation): string | null {
  if (requestBody === undefined) return null;
  const body = BODIES[operationId];
  if (body === undefined) throw new Error(`${operationId} takes a body: say in good-requests.ts which one succeeds`);
  return body;
}

/** The method and the other options, for `call`. */
export function goodRequest({ method, operation }: Described, things: TenantThings) {
  const body = goodBody(operation);
  const type = Object.keys(operation.requestBody?.content ?? {})[0];
  const extra = Object.entries(HEADERS[operation.operationId] ?? {});
  const headers = Object.fromEntries(extra.map(([name, value]) => [name, withIds(value, things)]));
  if (body === null || type === undefined) return { method, headers };
  return { method, body: withIds(body, things), headers: { ...headers, "content-type": type } };
}

export function withIds(text: string, things: TenantThings): string {
  return text.replace(/\{([a-z:-]+)\}/g, (_, noun: string) => thingOf(things, noun));
}

/** `new` is another id each time. */
export function thingOf(things: TenantThings, noun: string): string {
  if (noun === "new") return newId(Date.now());
  const id = things[noun];
  if (id === undefined) throw new Error(`one of ${noun} is named: make one in tenant-things.ts`);
  return id;
}
