/**
 * A user of the public HTTP interface, as tests need one: raw responses, and the few steps that every scenario takes. An
 * response that the OpenAPI document does not describe fails the call.
 */
import { expectDescribed } from "@elastic/coordinator/http/testing/conformance.ts";
import { until } from "@elastic/deploy/local/until.ts";

/** Longest single long poll; the server allows as much. */
const WAIT_SECONDS = 20;
const CALL_TIMEOUT_MS = 60_000;
/** Less than a test has, so that its message names what it waits for. */
const READY_TIMEOUT_MS = 90_000;
const END_TIMEOUT_MS = 90_000;

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined when the body is no JSON. */
  readonly json: unknown;
}

export interface Failure {
  readonly reason: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly attempts: number;
  readonly exit_code: number | null;
  readonly log_tail: string;
}

export interface TaskRecord {
  readonly task_id: string;
  readonly service_id: string;
  readonly service_name: string;
  readonly creator_id: string;
  readonly state: "PENDING" | "SUCCESS" | "FAILURE";
  readonly phase: string;
  readonly input: string | null;
  readonly result: string | null;
  readonly result_url: string | null;
  readonly result_omitted: boolean;
  readonly created: string;
  readonly started: string | null;
  readonly finished: string | null;
  readonly attempt: number;
  readonly failure: Failure | null;
  readonly error: string | null;
}

export interface ServiceRecord {
  readonly service_id: string;
  readonly service_name: string;
  readonly state: string;
  readonly service_url: string;
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

export interface NewDeployment {
  readonly image: string;
  readonly tag?: string;
  readonly verifier_image?: string;
  readonly volume_id?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly scaling?: { readonly min?: number; readonly max?: number };
  readonly limits?: Readonly<Record<string, unknown>>;
  readonly resources?: Readonly<Record<string, unknown>>;
}

interface Request {
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface ApiClient {
  readonly url: string;
  readonly key: string;
  /** One call with the key; any status is a response. */
  call(path: string, request?: Request): Promise<ApiResponse>;
  createService(name: string): Promise<ServiceRecord>;
  service(id: string): Promise<ServiceRecord>;
  /** Starts a roll-out; returns the deployment's id. */
  deploy(serviceId: string, deployment: NewDeployment): Promise<string>;
  /** A new service that has become Ready with this deployment. */
  readyService(name: string, deployment: NewDeployment): Promise<ServiceRecord>;
  /** Deletes every service that this client has created, with whatever is open on them. */
  deleteServices(): Promise<void>;
  /** Waits for a state of the service. */
  serviceIs(id: string, state: string): Promise<ServiceRecord>;
  /** Posts a task; `input` is JSON text and is sent as it is. Throws unless it is accepted. */
  postTask(serviceId: string, input: string): Promise<TaskRecord>;
  task(id: string): Promise<TaskRecord>;
  /** The record once the task has ended; calls that fail meanwhile are repeated. */
  ended(id: string, timeoutMs?: number): Promise<TaskRecord>;
  /** Posts a task and waits for its end. */
  prove(serviceId: string, input: string): Promise<TaskRecord>;
}

export function apiClient(of: { readonly url: string; readonly key: string }): ApiClient {
  const call = (path: string, request: Request = {}): Promise<ApiResponse> => send(of, path, request);
  const expectJson = async <T>(path: string, request?: Request): Promise<T> => {
    const response = await call(path, request);
    if (response.status >= 300) {
      throw new Error(`${request?.method ?? "GET"} ${path}: ${response.status} ${response.text.slice(0, 500)}`);
    }
    return response.json as T;
  };
  const created: string[] = [];
  const client: ApiClient = {
    ...of,
    call,
    async createService(name) {
      const service = await expectJson<ServiceRecord>("/v1/services", json({ service_name: name }));
      created.push(service.service_id);
      return service;
    },
    async deleteServices() {
      for (const id of created.splice(0)) await call(`/v1/services/${id}`, { method: "DELETE" });
    },
    service: (id) => expectJson(`/v1/services/${id}`),
    async deploy(serviceId, deployment) {
      const path = `/v1/services/${serviceId}/deployments`;
      return (await expectJson<{ readonly deployment_id: string }>(path, json(deployment))).deployment_id;
    },
    async readyService(name, deployment) {
      const { service_id } = await client.createService(name);
      await client.deploy(service_id, deployment);
      return await client.serviceIs(service_id, "Ready");
    },
    serviceIs: (id, state) =>
      until(
        `service ${id} is ${state}`,
        async () => {
          const service = await client.service(id);
          if (service.state === state) return service;
          throw new Error(`it is ${service.state} (${service.failure?.reason}: ${service.failure?.message})`);
        },
        { timeoutMs: READY_TIMEOUT_MS, everyMs: 100 },
      ),
    postTask: (serviceId, input) =>
      expectJson(`/v1/services/${serviceId}`, { method: "POST", body: `{"input":${input}}`, headers: JSON_HEADERS }),
    task: (id) => expectJson(`/v1/tasks/${id}`),
    ended: (id, timeoutMs = END_TIMEOUT_MS) =>
      until(
        `task ${id} has ended`,
        async () => {
          const task = await expectJson<TaskRecord>(`/v1/tasks/${id}?wait=${WAIT_SECONDS}`);
          if (task.state !== "PENDING") return task;
          throw new Error(`it is ${task.phase}, attempt ${task.attempt}`);
        },
        { timeoutMs },
      ),
    prove: async (serviceId, input) => await client.ended((await client.postTask(serviceId, input)).task_id),
  };
  return client;
}

const JSON_HEADERS = { "content-type": "application/json" };

function json(body: object): Request {
  return { method: "POST", body: JSON.stringify(body), headers: JSON_HEADERS };
}

async function send(
  of: { readonly url: string; readonly key: string },
  path: string,
  request: Request,
): Promise<ApiResponse> {
  const method = request.method ?? "GET";
  const response = await fetch(`${of.url}${path}`, {
    method,
    headers: { "x-api-key": of.key, ...request.headers },
    body: request.body ?? null,
    signal: AbortSignal.timeout(request.timeoutMs ?? CALL_TIMEOUT_MS),
  });
  const text = await response.text();
  const { status, headers } = response;
  await expectDescribed({ server: of.url, method, target: path, status, headers, text });
  return { status, headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
