/** How long the console's lists of tasks take, read one after the other. */
import { Pool } from "undici";

export interface List {
  readonly name: string;
  /** Of the query, after the size. */
  readonly query: string;
}

export const LISTS: readonly List[] = [
  { name: "newest page", query: "" },
  { name: "page 200", query: "&page=200" },
  { name: "newest page that failed", query: "&phase=failed" },
];

const READS = 200;
const PAGE_SIZE = 50;

/** Milliseconds of each reading. */
export async function listTimes({ url, key }: { readonly url: string; readonly key: string }, list: List) {
  const pool = new Pool(url, { connections: 1 });
  const times: number[] = [];
  try {
    for (let read = 0; read < READS; read += 1) {
      const beganMs = performance.now();
      const path = `/v1/tasks?size=${PAGE_SIZE}${list.query}`;
      const response = await pool.request({ method: "GET", path, headers: { "x-api-key": key } });
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`GET ${path}: ${response.statusCode} ${text.slice(0, 200)}`);
      times.push(performance.now() - beganMs);
    }
  } finally {
    await pool.close();
  }
  return times;
}
