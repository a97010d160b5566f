/** The load process of our service: a client of the public HTTP interface, and nothing else. */
import { Pool } from "undici";
import type { Finished } from "../measure/load.ts";
import { serveOrders } from "../measure/serve-orders.ts";
import { readSettings } from "../measure/settings.ts";

export interface ElasticLoadSettings {
  readonly url: string;
  readonly key: string;
  readonly serviceId: string;
  readonly input: object;
}

/** More than are ever in flight at once. */
const CONNECTIONS = 512;
const WAIT_SECONDS = 60;

const settings = readSettings<ElasticLoadSettings>();
const pool = new Pool(settings.url, { connections: CONNECTIONS });
const body = JSON.stringify({ input: settings.input });
const headers = { "x-api-key": settings.key };

interface TaskAnswer {
  readonly task_id: string;
  readonly state: string;
  readonly result: string | null;
  readonly error: string | null;
}

async function send(method: "GET" | "POST", path: string): Promise<TaskAnswer> {
  const posts = method === "POST";
  const answer = await pool.request({
    method,
    path,
    headers: posts ? { ...headers, "content-type": "application/json" } : headers,
    body: posts ? body : null,
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
  return JSON.parse(text) as TaskAnswer;
}

async function create(): Promise<TaskAnswer> {
  return await send("POST", `/v1/services/${settings.serviceId}`);
}

/** The prover `clock` answers when it was called. */
async function task(): Promise<Finished> {
  const created = await create();
  const ended = await send("GET", `/v1/tasks/${created.task_id}?wait=${WAIT_SECONDS}`);
  if (ended.state !== "SUCCESS") throw new Error(`task ${ended.task_id} is ${ended.state}: ${ended.error}`);
  return { startedUs: Number(ended.result), tasks: 1 };
}

serveOrders({
  task,
  create: async () => {
    await create();
    return { startedUs: null, tasks: 1 };
  },
});
