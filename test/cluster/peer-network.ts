/**
 * The connections between the members of an etcd, which a test can cut for one of them while its clients still reach it.
 * Each member finds the others under names, at separate loopback addresses, behind which a proxy passes everything on.
 * Needs root, for the namespace in which a member has its own /etc/hosts.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "@elastic/deploy/local/program.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

const WITH_HOSTS = 'mount --bind "$0" /etc/hosts && exec "$@"';

export interface PeerNetwork extends AsyncDisposable {
  /** The host name of each member towards its peers. */
  readonly hosts: ReadonlyMap<string, string>;
  /** The same program, which reaches the peers of that member through this network. */
  inside(name: string, program: Program): Program;
  /** From now on nothing passes between that member and its peers, and nothing is refused. */
  isolate(name: string): void;
  /** Everything passes again; what vanished has vanished. */
  heal(): void;
}

interface Connection {
  readonly from: string;
  readonly to: string;
  readonly proxy: FaultProxy;
}

/** `ports`: at which each member listens for its peers, by name. */
export async function startPeerNetwork(folder: string, ports: ReadonlyMap<string, number>): Promise<PeerNetwork> {
  await using starting = new AsyncDisposableStack();
  const connections: Connection[] = [];
  const hosts = new Map([...ports.keys()].map((name) => [name, `${name}.peers.test`]));
  const hostsFile = (name: string) => join(folder, `${name}.hosts`);
  for (const [row, from] of [...ports.keys()].entries()) {
    const lines = ["127.0.0.1 localhost"];
    for (const [column, [to, port]] of [...ports].entries()) {
      const host = to === from ? "127.0.0.1" : `127.1.${row}.${column + 1}`;
      lines.push(`${host} ${hosts.get(to)}`);
      if (to === from) continue;
      const proxy = starting.use(await startFaultProxy(`127.0.0.1:${port}`, { host, port }));
      connections.push({ from, to, proxy });
    }
    writeFileSync(hostsFile(from), `${lines.join("\n")}\n`);
  }
  const started = starting.move();
  return {
    hosts,
    inside: (name, program) => ({
      ...program,
      command: "unshare",
      args: ["--mount", "sh", "-c", WITH_HOSTS, hostsFile(name), program.command, ...program.args],
    }),
    isolate(name) {
      for (const { from, to, proxy } of connections) if (from === name || to === name) proxy.set("black-hole");
    },
    heal() {
      for (const { proxy } of connections) {
        proxy.set("pass");
        // Of connections that lost bytes nothing of use can come.
        proxy.reset();
      }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
