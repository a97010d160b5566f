/** A process with all that it started, as the kernel knows them now. */
import { readdirSync, readFileSync } from "node:fs";

export function processTree(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree: number[] = [];
  for (const open = [root]; open.length > 0; ) {
    const pid = open.pop() ?? 0;
    tree.push(pid);
    open.push(...(children.get(pid) ?? []));
  }
  return tree;
}

/** Null for one that has ended. */
function parentOf(pid: string): number | null {
  try {
    // The name in brackets may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}
