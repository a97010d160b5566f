/** Creates the strongest sandbox around native code that works on this machine. */
import { createHash } from "node:crypto";
import { basename, join, resolve } from "node:path";
import type { Logger } from "@elastic/std/log.ts";
import { type SandboxKind, whyNoSandbox } from "./sandbox.ts";
import { createSandboxRoot, type SandboxRoot } from "./sandbox-root.ts";

/** What a command behind them is made of. */
export interface Sandbox {
  readonly kind: SandboxKind;
  readonly root: SandboxRoot;
  readonly isRoot: boolean;
}

export interface SandboxedLibrary {
  readonly library: string;
  /** Files that it finds in its own folder. */
  readonly companions: readonly string[];
  /** Of the agent's own, for the copies. */
  readonly folder: string;
}

/** Root's own, and every user may pass through it. */
const OPEN_FOLDER = "/run";

/** Null when there are none and the agent is root. Rejects where the files cannot be copied. */
export async function createSandbox(
  { library, companions, folder }: SandboxedLibrary,
  log: Logger,
): Promise<Sandbox | null> {
  const isRoot = process.getuid?.() === 0;
  const root = await createSandboxRoot(folder, library, companions);
  const why = await whyNoSandbox("bubblewrap", root, isRoot);
  if (why === null) return { kind: "bubblewrap", root, isRoot };
  log.warn({ why }, `bubblewrap does not work here: ${basename(library)} runs without its own namespaces`);
  if (!isRoot) return { kind: "none", root, isRoot };
  // Without its own mounts the other user needs a way to the files: the agent's folders are closed to it.
  const tag = createHash("sha256").update(resolve(folder)).digest("hex").slice(0, 16);
  const open = await createSandboxRoot(join(OPEN_FOLDER, `elastic-agent-${tag}`), library, companions);
  return (await whyNoSandbox("user", open, isRoot)) === null ? { kind: "user", root: open, isRoot } : null;
}
