/** The process of clients.ts: every client has its own connection, as browsers have. */
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { readSettings } from "../measure/settings.ts";
import type { ClientSettings } from "./clients.ts";

const { url, key, kind, clients, pollMs } = readSettings<ClientSettings>();
const pool = new Pool(url, { connections: clients, bodyTimeout: 0 });
const headers = { "x-api-key": key };
/** From when on it is counted. */
let counted = new Array<number>(clients).fill(0);

const begun = Array.from({ length: clients }, (_, client) => {
  const first = Promise.withResolvers<void>();
  const running = kind === "live" ? follow(client, first.resolve) : poll(client, first.resolve);
  running.catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
  return first.promise;
});
await Promise.all(begun);
counted = new Array<number>(clients).fill(0);
process.on("message", () => process.send?.(counted));
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function follow(client: number, onFirst: () => void): Promise<void> {
  const response = await pool.request({ method: "GET", path: "/v1/events", headers });
  if (response.statusCode !== 200) throw new Error(`GET /v1/events: ${response.statusCode}`);
  for await (const piece of response.body) {
    const events = String(piece).split("\nevent: changes\n").length - 1;
    counted[client] = (counted[client] ?? 0) + events;
    onFirst();
  }
  throw new Error("a stream of events ended");
}

async function poll(client: number, onFirst: () => void): Promise<void> {
  // Not all at the same moment, as people do not open their pages together either.
  await delay((client * pollMs) / clients);
  for (;;) {
    const response = await pool.request({ method: "GET", path: "/v1/tasks?size=50", headers });
    if (response.statusCode !== 200) throw new Error(`GET /v1/tasks: ${response.statusCode}`);
    await response.body.dump();
    counted[client] = (counted[client] ?? 0) + 1;
    onFirst();
    await delay(pollMs);
  }
}
