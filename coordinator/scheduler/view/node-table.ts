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

  put(id: string, read: Versioned<Node> | undefined): NodeEntry {
    const entry = this.ensure(id);
    entry.read = read ?? null;
    entry.pending = false;
    const state = read?.value.state;
    if (state === "ready" || state === "draining") this.#dead.delete(entry);
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
