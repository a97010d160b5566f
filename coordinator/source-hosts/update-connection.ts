/** Changes a connection, whoever else does. Nothing where it was deleted. */
import type { SourceConnection } from "../domain/source-connection.ts";
import type { Store } from "../store/store.ts";
import { updateRecord } from "../store/update.ts";

export async function updateConnection(
  store: Pick<Store, "get" | "commit">,
  id: string,
  become: (connection: SourceConnection) => SourceConnection,
): Promise<void> {
  await updateRecord(store, "source-connections", () => store.get("source-connections", id), become);
}
