/**
 * Remembers that an upgrade drained the node, until the node accepts work again: whatever ends the upgrade, the next one ends its drain. What an
 * operator drained is not marked, and stays drained.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Layout } from "./layout.ts";

export interface DrainMark {
  isSet(): boolean;
  set(): void;
  clear(): void;
}

const FILE = ".drained-by-upgrade";

export function drainMark({ home }: Layout): DrainMark {
  const file = join(home, FILE);
  return {
    isSet: () => existsSync(file),
    set: () => writeFileSync(file, ""),
    clear: () => rmSync(file, { force: true }),
  };
}
