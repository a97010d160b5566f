/** Which part of the service a sample of a CPU profile belongs to. Pure. */
import type { CallFrame, CpuProfile, ProfileNode } from "./cpu-profiler.ts";

/** The first that a script's path contains is its layer; what stands first is more special. */
const SCRIPTS: readonly (readonly [string, Layer])[] = [
  ["/coordinator/http/access/", "auth"],
  ["/coordinator/auth/", "auth"],
  ["/coordinator/store/etcd/", "etcd client"],
  ["/proto/gen/etcd/", "etcd client"],
  ["/coordinator/store/view/", "view"],
  ["/coordinator/store/codec", "records as JSON"],
  ["/coordinator/public/", "records as JSON"],
  ["/coordinator/store/", "store"],
  ["/coordinator/audit/", "store"],
  ["/coordinator/scheduler/", "scheduler"],
  ["/coordinator/fleet/", "fleet"],
  ["/proto/", "fleet"],
  ["/@grpc/", "gRPC"],
  ["/google-protobuf/", "gRPC"],
  ["/@bufbuild/protobuf/", "gRPC"],
  ["/long/", "gRPC"],
  ["/coordinator/http/", "HTTP"],
  ["/fastify", "HTTP"],
  ["/find-my-way/", "HTTP"],
  ["/avvio/", "HTTP"],
  ["/zod/", "HTTP"],
  ["/coordinator/metrics/", "metrics"],
  ["/prom-client/", "metrics"],
  ["/pino", "log"],
  ["/std/log", "log"],
  ["/sonic-boom/", "log"],
  ["/agent/link/", "fleet"],
  ["/agent/workloads/", "workloads"],
  ["/agent/", "agent"],
  ["/coordinator/", "other of ours"],
];

/** Of Node's own scripts, where none of ours is on the stack. */
const NODE_SCRIPTS: readonly (readonly [RegExp, Layer])[] = [
  [/^node:(_http|internal\/http$)/, "HTTP"],
  [/^node:internal\/http2/, "HTTP/2"],
  [/^node:(net|internal\/stream|internal\/streams|stream)/, "sockets"],
  [/^node:internal\/(timers|process\/task_queues)/, "timers and turns"],
];

export type Layer =
  | "auth"
  | "HTTP"
  | "HTTP/2"
  | "sockets"
  | "timers and turns"
  | "records as JSON"
  | "store"
  | "etcd client"
  | "view"
  | "scheduler"
  | "fleet"
  | "gRPC"
  | "metrics"
  | "log"
  | "agent"
  | "workloads"
  | "other of ours"
  | "other modules"
  | "garbage collection"
  | "V8 and kernel"
  | "idle";

const SPECIAL: Readonly<Record<string, Layer>> = {
  "(garbage collector)": "garbage collection",
  "(program)": "V8 and kernel",
  "(root)": "V8 and kernel",
  "(idle)": "idle",
};

/** Microseconds of each layer: of a sample the innermost frame decides whose script is not Node's. */
export function timeByLayer(profile: CpuProfile): ReadonlyMap<Layer, number> {
  const layers = layerOfNodes(profile.nodes);
  const times = new Map<Layer, number>();
  for (const [index, node] of profile.samples.entries()) {
    const layer = layers.get(node) ?? "V8 and kernel";
    times.set(layer, (times.get(layer) ?? 0) + (profile.timeDeltas[index] ?? 0));
  }
  return times;
}

function layerOfNodes(nodes: readonly ProfileNode[]): ReadonlyMap<number, Layer> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const layers = new Map<number, Layer>();
  const visit = (node: ProfileNode, above: Layer | null): void => {
    const own = layerOf(node.callFrame);
    const layer = own ?? above ?? ofNode(node.callFrame);
    layers.set(node.id, layer);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      // A layer of Node's own is only where none of ours follows.
      if (child !== undefined) visit(child, own ?? above);
    }
  };
  const [root] = nodes;
  if (root !== undefined) visit(root, null);
  return layers;
}

/** Null for what alone has no place: Node's own scripts and functions of V8. */
function layerOf({ functionName, url }: CallFrame): Layer | null {
  const special = SPECIAL[functionName];
  if (special !== undefined && url === "") return functionName === "(root)" ? null : special;
  if (url === "" || url.startsWith("node:")) return null;
  return SCRIPTS.find(([part]) => url.includes(part))?.[1] ?? "other modules";
}

function ofNode({ url }: CallFrame): Layer {
  return NODE_SCRIPTS.find(([script]) => script.test(url))?.[1] ?? "V8 and kernel";
}
