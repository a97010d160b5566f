/** A process with all that it started, as the kernel knows them now. */
import { readdirSync } from "node:fs";
import { processStat } from "./process-stat.ts";

export function processTree(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)) {
    const parent = processStat(pid)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const tree: number[] = [];
  for (const open = [root]; open.length > 0; ) {
    const pid = open.pop() ?? 0;
    tree.push(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return tree;
}
