/** How long requests take, one after the other, from sending them to the end of their responses. */
import type { ApiClient } from "@elastic/test/cluster/api-client.ts";

export interface Request {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
}

/** Milliseconds of each. Throws where one is rejected. */
export async function requestTimes(client: ApiClient, request: Request, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) times.push((await timed(client, request)).ms);
  return times;
}

/** The same while `isOver` has not become true, once at least. */
export async function requestTimesUntil(client: ApiClient, request: Request, isOver: () => boolean) {
  const times: number[] = [];
  do times.push((await timed(client, request)).ms);
  while (!isOver());
  return times;
}

export async function timed({ url, key }: ApiClient, { path, method = "GET", body }: Request) {
  const beganMs = performance.now();
  const headers = { "x-api-key": key, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const response = await fetch(`${url}${path}`, { method, headers, body: body ?? null });
  const text = await response.text();
  const ms = performance.now() - beganMs;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return { ms, json: JSON.parse(text) as Readonly<Record<string, unknown>> };
}
