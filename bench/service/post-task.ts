/** A client of an HTTP interface that creates tasks and responds once they have ended: the same for all that have one. */
import { Pool } from "undici";

export interface PostTaskSettings {
  readonly url: string;
  readonly key: string;
  readonly input: object;
}

export interface TaskResponse {
  readonly task_id: string;
  readonly state: string;
  readonly result: string | null;
  readonly error: string | null;
}

/** More than are ever in flight at once. */
const CONNECTIONS = 512;

/** What creates a task with a POST to a path. */
export function taskPoster({ url, key, input }: PostTaskSettings): (path: string) => Promise<TaskResponse> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const body = JSON.stringify({ input });
  const headers = { "x-api-key": key, "content-type": "application/json" };
  return async (path) => {
    const response = await pool.request({ method: "POST", path, headers, body });
    const text = await response.body.text();
    if (response.statusCode !== 201) throw new Error(`POST ${path}: ${response.statusCode} ${text.slice(0, 500)}`);
    return JSON.parse(text) as TaskResponse;
  };
}

/** The response, of a task that succeeded. */
export function succeeded(ended: TaskResponse): TaskResponse {
  if (ended.state !== "SUCCESS") throw new Error(`task ${ended.task_id} is ${ended.state}: ${ended.error}`);
  return ended;
}
