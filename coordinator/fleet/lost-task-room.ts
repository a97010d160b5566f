/** How many lost tasks a node may still add to the list, those included that are being added by this coordinator. */
import { LOST_TASKS_MAX, lostTasksShare } from "../domain/lost-task.ts";
import type { View } from "../store/store.ts";

type Known = Pick<View, "lostTasks" | "nodes">;

export class LostTaskRoom {
  /** By node. */
  readonly #reserved = new Map<string, number>();

  /** Returns how many of `wanted` there is room for; `release` follows once their commits have settled. */
  reserve({ lostTasks, nodes }: Known, nodeId: string, wanted: number): number {
    let listed = 0;
    let listedByNode = 0;
    for (const { value } of lostTasks.values()) {
      listed += 1;
      if (value.nodeId === nodeId) listedByNode += 1;
    }
    const share = lostTasksShare([...nodes.values()].length);
    const ownRoom = share - listedByNode - this.#reservedBy(nodeId);
    const room = LOST_TASKS_MAX - listed - [...this.#reserved.values()].reduce((sum, count) => sum + count, 0);
    const granted = Math.max(0, Math.min(wanted, ownRoom, room));
    this.#reserved.set(nodeId, this.#reservedBy(nodeId) + granted);
    return granted;
  }

  release(nodeId: string, count: number): void {
    const left = this.#reservedBy(nodeId) - count;
    if (left > 0) this.#reserved.set(nodeId, left);
    else this.#reserved.delete(nodeId);
  }

  #reservedBy(nodeId: string): number {
    return this.#reserved.get(nodeId) ?? 0;
  }
}
