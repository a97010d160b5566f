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
/** Longer than any task takes. */
const WAIT_SECONDS = 60;

const settings = readSettings<ElasticLoadSettings>();
const pool = new Pool(settings.url, { connections: CONNECTIONS });
const body = JSON.stringify({ input: settings.input });
const headers = { "x-api-key": settings.key, "content-type": "application/json" };

interface TaskAnswer {
  readonly task_id: string;
  readonly state: string;
  readonly result: string | null;
  readonly error: string | null;
}

/** Creates a task; the response comes once it has ended, or the seconds are over. */
async function create(waitSeconds: number): Promise<TaskAnswer> {
  const path = `/v1/services/${settings.serviceId}?wait=${waitSeconds}`;
  const response = await pool.request({ method: "POST", path, headers, body });
  const text = await response.body.text();
  if (response.statusCode !== 201) throw new Error(`POST ${path}: ${response.statusCode} ${text.slice(0, 500)}`);
  return JSON.parse(text) as TaskAnswer;
}

async function succeeded(): Promise<TaskAnswer> {
  const ended = await create(WAIT_SECONDS);
  if (ended.state !== "SUCCESS") throw new Error(`task ${ended.task_id} is ${ended.state}: ${ended.error}`);
  return ended;
}

/** The prover `clock` returns when it was called. */
async function task(): Promise<Finished> {
  return { startedUs: Number((await succeeded()).result), tasks: 1 };
}

serveOrders({
  task,
  /** By any other prover. */
  proof: async () => {
    await succeeded();
    return { startedUs: null, tasks: 1 };
  },
  create: async () => {
    await create(0);
    return { startedUs: null, tasks: 1 };
  },
});
