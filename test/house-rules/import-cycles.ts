/** Folders that import each other, directly or by way of further folders. */
import { posix } from "node:path";
import { type Import, isTest } from "./imports.ts";

/** One cycle for each group of folders within `root` that has one, such as `a -> b -> a`. Tests are left out. */
export function folderCycles(imports: readonly Import[], root: string): readonly string[] {
  const graph = folderGraph(imports, root);
  const cycles: string[] = [];
  const done = new Set<string>();
  for (const folder of graph.keys()) {
    if (done.has(folder)) continue;
    const cycle = shortestCycle(graph, folder);
    if (cycle === null) continue;
    for (const each of graph.keys())
      if (isReached(graph, folder, each) && isReached(graph, each, folder)) done.add(each);
    cycles.push(cycle.join(" -> "));
  }
  return cycles;
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function folderGraph(imports: readonly Import[], root: string): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if (isTest(from) || !isWithin(from, root) || !isWithin(to, root)) continue;
    const [importing, imported] = [posix.dirname(from), posix.dirname(to)];
    if (importing === imported) continue;
    const known = graph.get(importing) ?? new Set();
    graph.set(importing, known.add(imported));
  }
  return graph;
}

function isWithin(path: string, root: string): boolean {
  return path.startsWith(`${root}/`);
}

function isReached(graph: Graph, from: string, to: string): boolean {
  return pathTo(graph, from, to) !== null;
}

function shortestCycle(graph: Graph, folder: string): readonly string[] | null {
  const way = pathTo(graph, folder, folder);
  return way === null ? null : [folder, ...way];
}

/** The folders after `from` on the shortest way, `to` included; null where there is none. */
function pathTo(graph: Graph, from: string, to: string): readonly string[] | null {
  const seen = new Set<string>();
  let ways: (readonly string[])[] = [...(graph.get(from) ?? [])].map((folder) => [folder]);
  while (ways.length > 0) {
    const arrived = ways.find((way) => way.at(-1) === to);
    if (arrived !== undefined) return arrived;
    ways = ways.flatMap((way) => {
      const last = way.at(-1) ?? "";
      if (seen.has(last)) return [];
      seen.add(last);
      return [...(graph.get(last) ?? [])].map((folder) => [...way, folder]);
    });
  }
  return null;
}
