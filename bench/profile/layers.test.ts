import { expect, test } from "vitest";
import type { ProfileNode } from "./cpu-profiler.ts";
import { timeByLayer } from "./layers.ts";

const node = (id: number, functionName: string, url: string, ...children: readonly number[]): ProfileNode => ({
  id,
  callFrame: { functionName, url, lineNumber: 1 },
  children,
});

const NODES = [
  node(1, "(root)", "", 2, 3, 8, 9),
  node(2, "(idle)", ""),
  node(3, "onData", "node:net", 4),
  node(4, "createTask", "file:///repo/coordinator/http/tasks/create-task.ts", 5, 6),
  node(5, "stringify", ""),
  node(6, "exchange", "file:///repo/coordinator/store/etcd/unary-channel.ts", 7),
  node(7, "request", "node:internal/http2/core"),
  node(8, "parserOnHeaders", "node:_http_common"),
  node(9, "(garbage collector)", ""),
];

function layersOf(...samples: readonly number[]) {
  return Object.fromEntries(timeByLayer({ nodes: NODES, samples, timeDeltas: samples.map(() => 10) }));
}

test("a sample belongs to the innermost script that is not Node's", () => {
  expect(layersOf(4, 5, 6, 7)).toEqual({ HTTP: 20, "etcd client": 20 });
});

test("without one it belongs to Node's own part, to the collector, or to nobody", () => {
  expect(layersOf(3, 8, 9, 2, 2, 1)).toEqual({
    sockets: 10,
    HTTP: 10,
    "garbage collection": 10,
    idle: 20,
    "V8 and kernel": 10,
  });
});
