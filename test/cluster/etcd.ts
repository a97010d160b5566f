/** A real etcd for tests: `await using etcd = await startEtcd()`. Its data outlive kill() and start(). */
import { join } from "node:path";
import { type EtcdPlace, etcdEndpoint, etcdProgram, etcdServes, findEtcd } from "@elastic/deploy/local/etcd.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { programPath } from "./machine.ts";
import { type Part, startPart } from "./part.ts";
import { makeWorkFolder } from "./work-folder.ts";

/** Under the load of other suites a first start has taken seconds. */
const START_TIMEOUT_MS = 30_000;

interface Ports {
  readonly clientPort: number;
  readonly peerPort: number;
}

export interface Etcd extends Part<Ports> {
  /** `http://127.0.0.1:<port>`; the same after a restart. */
  readonly endpoint: string;
  /** Where its data are; the same after a restart. */
  readonly dataDir: string;
}

export async function startEtcd(given: Pick<EtcdPlace, "quotaBytes"> = {}): Promise<Etcd> {
  const folder = makeWorkFolder();
  const binary = findEtcd(programPath()).path;
  let ports: Ports = { clientPort: 0, peerPort: 0 };
  const dataDirOf = ({ clientPort }: Ports): string => join(folder.path, `data-${clientPort}`);
  const part = await startPart<Ports>({
    async program(before) {
      ports = before ?? { clientPort: await freePort(), peerPort: await freePort() };
      const logFile = join(folder.path, "etcd.log");
      return etcdProgram({ binary, dataDir: dataDirOf(ports), ...ports, logFile, ...given });
    },
    async becomesReady(child) {
      await child.whileRunning((signal) => etcdServes(etcdEndpoint(ports), START_TIMEOUT_MS, signal));
      return ports;
    },
    triesMax: 3,
  });
  return {
    ...part,
    endpoint: etcdEndpoint(ports),
    dataDir: dataDirOf(ports),
    async [Symbol.asyncDispose]() {
      await part.kill();
      folder[Symbol.dispose]();
    },
  };
}
