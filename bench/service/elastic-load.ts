/** The load process of our service: a client of the public HTTP interface, and nothing else. */
import type { Finished } from "../measure/load.ts";
import { wallToNowUs } from "../measure/now-us.ts";
import { serveOrders } from "../measure/serve-orders.ts";
import { readSettings } from "../measure/settings.ts";
import { type PostTaskSettings, succeeded, type TaskResponse, taskPoster } from "./post-task.ts";

export interface ElasticLoadSettings extends PostTaskSettings {
  readonly serviceId: string;
}

/** Longer than any task takes. */
const WAIT_SECONDS = 60;
/** It is slewed by at most half a millisecond a second. */
const WALL_CLOCK_READ_EVERY_MS = 1_000;

const settings = readSettings<ElasticLoadSettings>();
const post = taskPoster(settings);

/** Creates a task; the response comes once it has ended, or the seconds are over. */
function create(waitSeconds: number): Promise<TaskResponse> {
  return post(`/v1/services/${settings.serviceId}?wait=${waitSeconds}`);
}

let toNowUs = wallToNowUs();
setInterval(() => {
  toNowUs = wallToNowUs();
}, WALL_CLOCK_READ_EVERY_MS).unref();

/** The prover `clock` returns when it was called, by the wall clock. */
async function task(): Promise<Finished> {
  return { startedUs: Number(succeeded(await create(WAIT_SECONDS)).result) + toNowUs, tasks: 1 };
}

serveOrders({
  task,
  /** By any other prover. */
  proof: async () => {
    succeeded(await create(WAIT_SECONDS));
    return { startedUs: null, tasks: 1 };
  },
  create: async () => {
    await create(0);
    return { startedUs: null, tasks: 1 };
  },
});
