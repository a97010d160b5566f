/**
 * The connections of a cluster, through which a scenario breaks them: a proxy between each coordinator and etcd, and one
 * between all agents and each coordinator. Agents on machines of their own reach the coordinators directly over the link of
 * their machine, which has packets to drop.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "@elastic/deploy/local/program.ts";
import type { ClusterOptions } from "../cluster/cluster.ts";
import { type FaultProxy, startFaultProxy } from "../cluster/fault-proxy.ts";
import { type NetworkMachine, startNetworkMachine } from "../cluster/network-machine.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";

const WITH_HOSTS = 'mount --bind "$0" /etc/hosts && exec "$@"';

export interface Lines extends AsyncDisposable {
  /** Between each coordinator and etcd. */
  readonly toEtcd: readonly FaultProxy[];
  /** Between the agents and each coordinator. */
  readonly toCoordinators: readonly FaultProxy[];
  /** Of the first agents. */
  readonly machines: readonly NetworkMachine[];
  /** With which a cluster has its connections here. */
  readonly options: Pick<ClusterOptions, "as" | "etcdThrough" | "coordinatorThrough">;
}

export async function startLines(count: {
  readonly coordinators: number;
  readonly machines: number;
  /** Of an etcd that coordinators reach directly; none for one behind the proxies. */
  readonly etcdEndpoints: readonly string[];
}): Promise<Lines> {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(makeWorkFolder()).path;
  const coordinators = Array.from({ length: count.coordinators }, (_, index) => `coordinator-${index + 1}`);
  let etcd = "";
  const grpc = new Map<string, string>();
  const toEtcd: FaultProxy[] = [];
  const toCoordinators: FaultProxy[] = [];
  for (const name of coordinators) {
    toEtcd.push(starting.use(await startFaultProxy(() => etcd)));
    toCoordinators.push(starting.use(await startFaultProxy(() => grpc.get(name) ?? "")));
  }
  const machines: NetworkMachine[] = [];
  for (let index = 0; index < count.machines; index += 1) {
    machines.push(starting.use(await startNetworkMachine(folder)));
  }

  /** Where agents find a coordinator: on a machine of their own the name leads to this one. */
  const reachedAt = (address: string, index: number): string =>
    machines.length === 0 ? (toCoordinators[index]?.address ?? "") : `localhost:${portOf(address)}`;
  const asCoordinator = (program: Program, index: number): Program => {
    const listens = program.env.ELASTIC_GRPC_LISTEN ?? "";
    grpc.set(program.name, listens);
    const env = {
      ...program.env,
      ELASTIC_ETCD: count.etcdEndpoints.length > 0 ? count.etcdEndpoints.join(",") : `http://${toEtcd[index]?.address}`,
      ELASTIC_GRPC_LISTEN: machines.length === 0 ? listens : `0.0.0.0:${portOf(listens)}`,
      ELASTIC_GRPC_ADVERTISE: reachedAt(listens, index),
    };
    return { ...program, env };
  };
  const asAgent = (program: Program): Program => {
    const machine = machines[Number(/^agent-(\d+)$/.exec(program.name)?.[1]) - 1];
    if (machine === undefined) return program;
    const hosts = join(folder, `${program.name}.hosts`);
    writeFileSync(hosts, `${machine.hostAddress} localhost\n`);
    const args = ["--mount", "sh", "-c", WITH_HOSTS, hosts, program.command, ...program.args];
    return machine.inside({ ...program, command: "unshare", args });
  };
  const started = starting.move();
  return {
    toEtcd,
    toCoordinators,
    machines,
    options: {
      as: (program) => {
        const index = coordinators.indexOf(program.name);
        return index < 0 ? asAgent(program) : asCoordinator(program, index);
      },
      etcdThrough: async (endpoint) => {
        etcd = new URL(endpoint).host;
        return endpoint;
      },
      coordinatorThrough: async (address) => {
        const at = [...grpc.values()].findIndex((listens) => portOf(listens) === portOf(address));
        return reachedAt(address, at);
      },
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

function portOf(address: string): string {
  return address.slice(address.lastIndexOf(":") + 1);
}
