import { join } from "node:path";
import { startLoadProcess } from "../measure/load-process.ts";
import type { Contender } from "./contender.ts";
import type { RawEtcdSettings } from "./raw-etcd-load.ts";
import { startEtcd } from "./servers/etcd.ts";
import type { ServerPlace } from "./servers/server.ts";

/** Transactions on etcd alone: what the store could do at most. */
export async function startRawEtcd(place: ServerPlace, valueBytes: RawEtcdSettings["valueBytes"]): Promise<Contender> {
  const server = await startEtcd(place);
  const settings: RawEtcdSettings = { port: server.port, valueBytes };
  const load = await startLoadProcess(join(import.meta.dirname, "raw-etcd-load.ts"), settings);
  return {
    name: "etcd",
    version: server.version,
    settings: null,
    client: load.pid,
    processes: { etcd: server.pid },
    measure: load.run,
    async stop() {
      await load.stop();
      await server.stop();
    },
  };
}
