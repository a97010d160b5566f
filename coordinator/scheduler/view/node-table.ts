/** The part of the scheduler's view that is about nodes: each with what it holds, and those that are lost or gone. */
import type { Node } from "../../domain/node.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { NodeEntry } from "../decide/entries.ts";
import { nodeEntry } from "./new-entries.ts";

export class NodeTable {
  readonly #entries = new Map<string, NodeEntry>();
  /** Lost or gone: what runs there is to be ended. */
  readonly #dead = new Set<NodeEntry>();

  get(id: string): NodeEntry | undefined {
    return this.#entries.get(id);
  }

  values(): MapIterator<NodeEntry> {
    return this.#entries.values();
  }

  get dead(): ReadonlySet<NodeEntry> {
    return this.#dead;
  }

  /** The entry, which may come before the node's record. */
  ensure(id: string): NodeEntry {
    let entry = this.#entries.get(id);
    if (entry === undefined) {
      entry = nodeEntry(id);
      this.#entries.set(id, entry);
    }
    return entry;
  }

  /** `nowMs`: when the record was seen, of one that was there before somewhen. */
  put(id: string, read: Versioned<Node> | undefined, nowMs: number, isUnreadable = false): NodeEntry {
    const entry = this.ensure(id);
    if (read !== undefined && wasGreeted(entry.read?.value, read.value)) entry.greetedMs = nowMs;
    entry.read = read ?? null;
    entry.pending = false;
    const state = read?.value.state;
    // What cannot be read is not known to be gone.
    if (state === "ready" || state === "draining" || isUnreadable) this.#dead.delete(entry);
    else this.#dead.add(entry);
    return entry;
  }

  /** Null where nothing changed. */
  putLink(id: string, linked: boolean): NodeEntry | null {
    const entry = this.ensure(id);
    if (entry.linked === linked) return null;
    entry.linked = linked;
    return entry;
  }
}

/** Whether a hello came between the two: it makes a lost node ready again, and a new agent has a new session. */
function wasGreeted(before: Node | undefined, after: Node): boolean {
  if (after.state !== "ready" && after.state !== "draining") return false;
  if (before === undefined || before.sessionId !== after.sessionId) return true;
  return before.state !== "ready" && before.state !== "draining";
}
