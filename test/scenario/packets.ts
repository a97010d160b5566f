/** Faults of the link of a machine, by the packet filter and the queue of its network namespace: nobody else's are touched. */
import type { NetworkMachine } from "../cluster/network-machine.ts";

const CHAINS = { incoming: ["INPUT", "-i"], outgoing: ["OUTPUT", "-o"] } as const;

export interface CutOff {
  /** Packets that were dropped so far. */
  dropped(): Promise<number>;
  heal(): Promise<void>;
}

/** From now on packets of that direction vanish; of one peer's port alone where it is given. */
export async function cutOff(
  machine: NetworkMachine,
  directions: readonly ("incoming" | "outgoing")[],
  port?: string,
): Promise<CutOff> {
  const filter = (...args: readonly string[]) => machine.run("iptables", ["--wait", ...args], {});
  for (const direction of directions) {
    const [chain, flag] = CHAINS[direction];
    const side = direction === "incoming" ? "--sport" : "--dport";
    const of = port === undefined ? [] : ["--protocol", "tcp", side, port];
    await filter("--append", chain, flag, "uplink", ...of, "--jump", "DROP");
  }
  return {
    async dropped() {
      const lists = await Promise.all(
        directions.map((direction) => filter("--list", CHAINS[direction][0], "--verbose", "--exact", "--numeric")),
      );
      const counts = lists.flatMap((list) => [...list.matchAll(/^\s*(\d+)\s+\d+\s+DROP\b/gm)]);
      return counts.reduce((sum, [, packets]) => sum + Number(packets), 0);
    },
    heal: async () => void (await filter("--flush")),
  };
}

/** From now on the machine sends at most that; the rest waits for 400 ms at most, and is lost then. */
export async function limitSending(machine: NetworkMachine, rate: string): Promise<{ held(): Promise<number> }> {
  const bucket = ["tbf", "rate", rate, "burst", "1600", "latency", "400ms"];
  await machine.run("tc", ["qdisc", "add", "dev", "uplink", "root", ...bucket], {});
  return {
    /** How often something had to wait. */
    async held() {
      const statistics = await machine.run("tc", ["-s", "qdisc", "show", "dev", "uplink"], {});
      return Number(/overlimits (\d+)/.exec(statistics)?.[1] ?? 0);
    },
  };
}
