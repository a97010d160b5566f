/** Another coordinator over the same store, with its own view. */
import { AuditLog } from "../../archive/audit-log.ts";
import { withHistory } from "../../archive/store-with-history.ts";
import { TaskHistory } from "../../archive/task-history.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Store } from "../../store/store.ts";
import { type HttpServerOptions, startHttp } from "../server.ts";
import type { HttpFixture } from "./http-fixture.ts";

export interface SecondCoordinator extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
  readonly kv: MemoryKv;
}

export async function startSecondCoordinator(
  api: HttpFixture,
  given: Partial<HttpServerOptions> = {},
): Promise<SecondCoordinator> {
  const kv = memoryKv(api.memory);
  const { clock, log } = api.options;
  const store = await openStore({ kv, clock, log });
  const server = await startHttp({
    ...api.options,
    ...given,
    store: withHistory(store, api.archive, clock),
    history: new TaskHistory(store.view.tasks, api.archive),
    auditLog: new AuditLog(store.view, api.archive),
  });
  return {
    url: server.url,
    store,
    kv,
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await store.close();
      await kv.close();
    },
  };
}
