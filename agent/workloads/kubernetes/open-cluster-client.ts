/** Requests to a Kubernetes API server, by a kubeconfig or as the service account of the agent's Pod. */
import type { KubeConfig } from "@kubernetes/client-node";
import { Agent, type Dispatcher, request } from "undici";
import type { ClusterSetting } from "../../domain/cluster-setting.ts";
import { type ClusterClient, ClusterRefusal, type LogPart } from "./cluster-client.ts";
import type { NetworkPolicy } from "./open-policies.ts";
import type { ClusterNode, Pod } from "./pod.ts";
import { CONTAINER_NAME } from "./pod-manifest.ts";

const RESPONDS_WITHIN_MS = 10_000;
const MESSAGE_CHARS_MAX = 500;

/**
 * The package is loaded here and nowhere else: it takes most of a second and 85 MB. Only what it knows of credentials is
 * used: its requests open a connection each.
 */
export async function openClusterClient(setting: ClusterSetting): Promise<ClusterClient> {
  const { KubeConfig: Config } = await import("@kubernetes/client-node");
  const config = new Config();
  if (setting.configFile === null) config.loadFromCluster();
  else config.loadFromFile(setting.configFile);
  const server = config.getCurrentCluster()?.server;
  const namespace = setting.namespace ?? config.getContextObject(config.getCurrentContext())?.namespace;
  if (server === undefined) throw new Error("the kubeconfig names no cluster in its current context");
  if (!namespace) throw new Error("no namespace is set: set ELASTIC_KUBERNETES_NAMESPACE");
  return clientOf(requesterOf(config, server), namespace.trim());
}

interface Wanted {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

type Requester = (path: string, wanted?: Wanted) => Promise<Dispatcher.ResponseData>;

function requesterOf(config: KubeConfig, server: string): Requester {
  let dispatcher: Dispatcher | undefined;
  return async (path, { method = "GET", query = {}, body, signal } = {}) => {
    const headers: Record<string, string> = { accept: "application/json" };
    if (body !== undefined) headers["content-type"] = "application/json";
    // Read again for each request: the cluster renews the token in its file.
    await config.applySecurityAuthentication(
      authentication(headers, (made) => {
        dispatcher ??= made;
      }),
    );
    dispatcher ??= new Agent();
    const url = new URL(`${server.replace(/\/$/, "")}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answer = await request(url, {
      method,
      headers,
      dispatcher,
      signal: signal ?? AbortSignal.timeout(RESPONDS_WITHIN_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { bodyTimeout: 0, headersTimeout: RESPONDS_WITHIN_MS }),
    });
    if (answer.statusCode < 400) return answer;
    throw new ClusterRefusal(answer.statusCode, refusalText(answer.statusCode, await answer.body.text()));
  };
}

type Context = Parameters<KubeConfig["applySecurityAuthentication"]>[0];

/** Only these two of a request are set by the package. */
function authentication(headers: Record<string, string>, onDispatcher: (made: Dispatcher) => void): Context {
  const context = {
    setHeaderParam: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    setDispatcher: (made: Dispatcher) => onDispatcher(made),
  };
  return context as unknown as Context;
}

function clientOf(call: Requester, namespace: string): ClusterClient {
  const pods = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const policies = `/apis/networking.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/networkpolicies`;
  const read = async <T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> =>
    (await (await call(path, { query })).body.json()) as T;
  const items = async <T>(path: string, selector: Readonly<Record<string, string>> = {}): Promise<readonly T[]> => {
    const query = Object.keys(selector).length === 0 ? {} : { labelSelector: selectorText(selector) };
    return (await read<{ readonly items: readonly T[] }>(path, query)).items;
  };
  const logOf = (name: string, query: Readonly<Record<string, string>>, signal?: AbortSignal) =>
    call(`${pods}/${name}/log`, {
      query: { container: CONTAINER_NAME, ...query },
      ...(signal === undefined ? {} : { signal }),
    });
  return {
    namespace,
    version: async () => (await read<{ readonly gitVersion: string }>("/version")).gitVersion,
    createPod: async (manifest) => {
      try {
        await drained(call(pods, { method: "POST", query: { fieldValidation: "Strict" }, body: manifest }));
        return "created";
      } catch (error) {
        if (error instanceof ClusterRefusal && error.status === 409) return "exists";
        throw error;
      }
    },
    listPods: (selector) => items<Pod>(pods, selector),
    deletePod: async (name, graceSeconds) => {
      const query = { gracePeriodSeconds: `${graceSeconds}` };
      await drained(call(`${pods}/${name}`, { method: "DELETE", query })).catch(unlessStatus(404));
    },
    readLog: async (name, { sinceMs, lines }: LogPart) => {
      const sinceTime = new Date(sinceMs).toISOString();
      const answer = await logOf(name, { tailLines: `${lines}`, ...(sinceMs > 0 ? { sinceTime } : {}) });
      return Buffer.from(await answer.body.arrayBuffer());
    },
    followLog: async (name, signal) => {
      const answer = await logOf(name, { follow: "true", tailLines: "0" }, signal);
      return answer.body as AsyncIterable<Buffer>;
    },
    policy: (name) => read<{ readonly spec?: unknown }>(`${policies}/${name}`).catch(unlessStatus(404)),
    createPolicy: async (manifest) => {
      await drained(call(policies, { method: "POST", body: manifest })).catch(unlessStatus(409));
    },
    listPolicies: () => items<NetworkPolicy>(policies).catch(unlessStatus(403)),
    listNodes: (selector) => items<ClusterNode>("/api/v1/nodes", selector).catch(unlessStatus(403)),
    listAllPods: () => items<Pod>("/api/v1/pods").catch(unlessStatus(403)),
  };
}

async function drained(answer: Promise<Dispatcher.ResponseData>): Promise<void> {
  await (await answer).body.dump();
}

function unlessStatus(status: number): (error: unknown) => null {
  return (error) => {
    if (error instanceof ClusterRefusal && error.status === status) return null;
    throw error;
  };
}

function selectorText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}

/** The message of a Status, else the text. */
function refusalText(status: number, text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === "string" && message !== "") return message.slice(0, MESSAGE_CHARS_MAX);
  } catch {
    // No Status: a proxy between may respond so.
  }
  return `the API server returned ${status} ${text}`.trim().slice(0, MESSAGE_CHARS_MAX);
}
