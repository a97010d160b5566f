/**
 * The Unix socket on which a running agent reports its status and accepts orders that are given on its machine. It is
 * also what keeps two agents from sharing a state directory: the second finds that the first one's socket responds.
 */
import { rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import type { DrainOrder } from "../drain/drain-orders.ts";
import type { AgentStatus } from "./agent-status.ts";

export interface StatusSocket {
  stop(): Promise<void>;
}

export interface StatusSource {
  read(): AgentStatus;
  order(order: DrainOrder): void;
}

/** How it is; all but the first are orders, and return how it is then. */
export type StatusPath = "/" | "/drain" | "/drain?stop-shells" | "/drain?spot" | "/resume";

const ORDERS: ReadonlyMap<string, DrainOrder> = new Map<StatusPath, DrainOrder>([
  ["/drain", { kind: "drain", stopShells: false }],
  ["/drain?stop-shells", { kind: "drain", stopShells: true }],
  ["/drain?spot", { kind: "drain", stopShells: true, spot: true }],
  ["/resume", { kind: "resume" }],
]);

const NAME = "status.sock";
const ANSWER_TIMEOUT_MS = 5_000;

/** Rejects when another agent runs with this state directory. */
export async function refuseSecondAgent(socketDir: string): Promise<void> {
  if ((await queryAgent(socketDir, "/")) === null) return;
  throw new Error(`another agent runs with this state directory (it responds on ${join(socketDir, NAME)})`);
}

export async function serveStatus(socketDir: string, source: StatusSource): Promise<StatusSocket> {
  const path = join(socketDir, NAME);
  rmSync(path, { force: true });
  const server = createServer(({ method, url = "" }, response) => {
    const order = ORDERS.get(url);
    if (method === "POST" && order !== undefined) source.order(order);
    response.setHeader("content-type", "application/json").end(JSON.stringify(source.read()));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Null when no agent responds there. */
export function queryAgent(socketDir: string, path: StatusPath): Promise<AgentStatus | null> {
  const method = ORDERS.has(path) ? "POST" : "GET";
  return new Promise((resolve) => {
    const query = request({ socketPath: join(socketDir, NAME), path, method, timeout: ANSWER_TIMEOUT_MS }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", () => resolve(null));
      answer.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")) as AgentStatus));
    });
    query.on("timeout", () => query.destroy());
    query.on("error", () => resolve(null));
    query.end();
  });
}
