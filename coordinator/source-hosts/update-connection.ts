/** Changes a connection, whoever else does. Nothing where it was deleted. */
import type { SourceConnection } from "../domain/source-connection.ts";
import { replace } from "../store/change.ts";
import type { Store } from "../store/store.ts";

const TRIES = 20;

export async function updateConnection(
  store: Pick<Store, "get" | "commit">,
  id: string,
  become: (connection: SourceConnection) => SourceConnection,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await store.get("source-connections", id);
    if (before === null) return;
    const after = become(before.value);
    if (after === before.value) return;
    if ((await store.commit([replace("source-connections", before, after)])).kind === "committed") return;
  }
  throw new Error(`the connection ${id} changes too quickly`);
}
