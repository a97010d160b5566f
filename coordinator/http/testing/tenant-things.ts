/** One of each thing that a path can name, in a team; and what to send to each route so that only its ids decide. */
import { createHash } from "node:crypto";
import { newId } from "@elastic/std/ids.ts";
import { documentOf, operationsOf, type Security } from "./api-document.ts";
import { call } from "./call.ts";
import { addReadyService, type HttpFixture, type Tenant } from "./http-fixture.ts";
import { claimTask, succeedTask } from "./run-task.ts";

/** Ids by the part of the path that stands before them: `/v1/tasks/{id}` names one of `tasks`. */
export type TenantThings = Readonly<Record<string, string>>;

export async function tenantThings(api: HttpFixture, who: "own" | "other"): Promise<TenantThings> {
  const tenant = api[who];
  const service = await addReadyService(api.store, tenant);
  const posted = await call(`${api.url}/v1/services/${service.id}`, { key: tenant.key, body: '{"input":1}' });
  await claimTask(api, posted.json.task_id);
  await succeedTask(api, posted.json.task_id, "secret");
  const invited = await call(`${api.url}/v1/teams/${tenant.teamId}/invitations`, { key: tenant.key, body: "{}" });
  const [, keyId = ""] = tenant.key.split("_");
  return {
    services: service.id,
    deployments: service.currentDeploymentId ?? "",
    tasks: posted.json.task_id,
    volumes: await volumeOf(api, tenant),
    teams: tenant.teamId,
    members: tenant.userId,
    keys: keyId,
    invitations: invited.json.invitation_id,
    ...(await webhookOf(api, tenant, service.id)),
  };
}

async function webhookOf(api: HttpFixture, { key }: Tenant, serviceId: string) {
  const made = await call(`${api.url}/v1/services/${serviceId}/webhooks`, { key, body: WEBHOOK });
  const { webhook_id: webhooks } = JSON.parse(made.text);
  const tested = await call(`${api.url}/v1/webhooks/${webhooks}/test`, { key, method: "POST" });
  return { webhooks, deliveries: JSON.parse(tested.text).delivery_id };
}

async function volumeOf(api: HttpFixture, { key }: Tenant): Promise<string> {
  const body = "proving key";
  const sha256 = createHash("sha256").update(body).digest("hex");
  const headers = { "content-type": "application/octet-stream" };
  await call(`${api.url}/v1/volumes/files/${sha256}`, { key, method: "PUT", body, headers });
  const files = [{ path: "key", sha256, bytes: body.length }];
  return (await call(`${api.url}/v1/volumes`, { key, body: JSON.stringify({ name: "keys", files }) })).json.volume_id;
}

const WEBHOOK = '{"name":"hook","url":"https://hooks.example/"}';

/** Bodies that pass their schema, by the last word of the path that is posted to. */
const BODIES: Readonly<Record<string, string>> = {
  services: '{"input":1}',
  deployments: '{"image":"builtin:noop"}',
  accept: '{"code":"x"}',
  webhooks: WEBHOOK,
};

export function bodyFor(method: string, path: string): { readonly body?: string } {
  if (method === "GET" || method === "DELETE") return {};
  const words = path.split("/").filter((word) => word !== "" && !word.startsWith("{"));
  return { body: (method === "POST" ? BODIES[words.at(-1) ?? ""] : undefined) ?? "{}" };
}

export interface Route {
  readonly method: string;
  /** As in the OpenAPI document: `/v1/tasks/{id}`. */
  readonly path: string;
  /** Any one of these sets opens it; none of them where it is open to everybody. */
  readonly security: Security;
}

/** Every route of the OpenAPI document. */
export async function routesOf(api: HttpFixture): Promise<readonly Route[]> {
  const document = await documentOf(api.url);
  return operationsOf(document).map(({ method, path, operation: { security = document.security } }) => ({
    method,
    path,
    security,
  }));
}

/** The path with an id in each place; `instead` replaces those of one parameter. */
export function fill(
  path: string,
  things: TenantThings,
  instead?: { readonly noun: string; readonly id: string },
): string {
  return path.replace("{sha256}", "0".repeat(64)).replace(/([^/]+)\/\{\w+\}/g, (_, noun: string) => {
    const id = instead?.noun === noun ? instead.id : things[noun];
    if (id === undefined) throw new Error(`${path} names one of ${noun}: make one in tenant-things.ts`);
    return `${noun}/${id}`;
  });
}

/** The nouns whose ids the path names. A digest is no id: it names bytes that the caller has. */
export function nounsOf(path: string): readonly string[] {
  return [...path.matchAll(/([^/]+)\/\{(?!sha256)\w+\}/g)].map(([, noun = ""]) => noun);
}

export function unknownId(): string {
  return newId(Date.now());
}
