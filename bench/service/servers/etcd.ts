/** A separate etcd, started like the one of a cluster. */
import { join } from "node:path";
import { startChild } from "@elastic/deploy/local/child.ts";
import { etcdEndpoint, etcdProgram, etcdServes, findEtcd } from "@elastic/deploy/local/etcd.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import type { Server, ServerPlace } from "./server.ts";

export async function startEtcd(place: ServerPlace): Promise<Server> {
  const { path: binary, version } = findEtcd(place.path);
  const [clientPort, peerPort] = [await freePort(), await freePort()];
  const logFile = join(place.folder, "etcd.log");
  const at = { binary, dataDir: join(place.folder, "etcd"), clientPort, peerPort, logFile };
  const child = await startChild(etcdProgram(at));
  await child.whileRunning((signal) => etcdServes(etcdEndpoint(at), 30_000, signal));
  return { pid: child.pid, port: clientPort, version, stop: async () => void (await child.stop()) };
}
