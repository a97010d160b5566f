/** Requests of an administrator to a Kubernetes API server. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";

export interface KubeAdmin {
  get<T = unknown>(path: string): Promise<T>;
  create(path: string, object: object): Promise<void>;
  /** A merge patch of a status. */
  patchStatus(path: string, status: object): Promise<void>;
  /** Without grace. */
  delete(path: string): Promise<void>;
}

export interface KubeServer {
  readonly server: string;
  readonly ca: string;
  readonly serverName: string;
  readonly token: string;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

export function kubeAdmin({ server, ca, serverName: servername, token }: KubeServer): KubeAdmin {
  const agent = new Agent({ ca, servername, keepAlive: true });
  const call = async (method: Method, path: string, body?: object): Promise<string> => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const headers = { authorization: `Bearer ${token}`, "content-type": type };
    const sent = request(`${server}${path}`, { method, agent, headers, timeout: 10_000 });
    sent.on("timeout", () => sent.destroy(new Error(`${method} ${path}: no response`)));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const returned = await text(answer);
    if ((answer.statusCode ?? 0) >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${returned}`);
    return returned;
  };
  return {
    get: async <T>(path: string) => {
      const returned = await call("GET", path);
      return (returned.startsWith("{") ? JSON.parse(returned) : returned) as T;
    },
    create: async (path, object) => void (await call("POST", path, object)),
    patchStatus: async (path, status) => void (await call("PATCH", `${path}/status`, { status })),
    delete: async (path) => void (await call("DELETE", `${path}?gracePeriodSeconds=0`)),
  };
}
