/** Opens the tunnels that coordinators ask for, each as a call to the very coordinator that asked. */
import type { OpenTunnel } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import type { Logger } from "@elastic/std/log.ts";
import type Docker from "dockerode";
import { runExec } from "./exec-tunnel.ts";
import { runPort } from "./port-tunnel.ts";
import { NoTunnel, type ShellContainer, shellContainer } from "./shell-container.ts";
import { TunnelCall, type TunnelStream } from "./tunnel-call.ts";
import { Turns } from "./turns.ts";

export interface TunnelsOptions {
  /** Null while no engine answers. */
  readonly docker: () => Docker | null;
  readonly nodeId: string;
  /** A stream to that coordinator. */
  readonly open: (address: string) => TunnelStream;
  readonly log: Logger;
}

export interface Tunnels {
  /** `address` is that of the coordinator that asks. */
  onOpen(wanted: OpenTunnel, address: string): void;
  open(): number;
  stop(): void;
}

const TUNNELS_MAX = 512;
/** More entries into containers at once slow each other down, and all else that the machine does. */
const OPENED_AT_A_TIME = 8;

export function createTunnels(options: TunnelsOptions): Tunnels {
  const { nodeId, log } = options;
  const standing = new Set<TunnelCall>();
  const turns = new Turns(OPENED_AT_A_TIME);

  const call = (address: string): TunnelCall => {
    const opened = new TunnelCall(options.open(address));
    standing.add(opened);
    opened.over.addEventListener("abort", () => standing.delete(opened), { once: true });
    return opened;
  };

  const run = async ({ tunnelId, assignmentId, kind }: OpenTunnel, address: string): Promise<void> => {
    const endTurn = await turns.take();
    const opened = (): TunnelCall => {
      endTurn();
      const made = call(address);
      void made.send({ $case: "opened", value: { tunnelId } });
      return made;
    };
    try {
      const docker = options.docker();
      if (docker === null) throw new NoTunnel("the machine has no container engine");
      if (standing.size >= TUNNELS_MAX) throw new NoTunnel("too many sessions are open on the shell's machine");
      const shell: ShellContainer = await shellContainer(docker, nodeId, assignmentId);
      if (kind?.$case === "exec") await runExec(shell, kind.value, opened);
      else if (kind?.$case === "port") await runPort(shell, kind.value.port, opened);
      else throw new NoTunnel("the machine's agent is too old for this");
    } finally {
      endTurn();
    }
  };

  const refuse = (tunnelId: string, address: string, error: unknown): void => {
    const isTold = error instanceof NoTunnel;
    if (!isTold) log.warn({ err: error, tunnelId }, "a tunnel failed");
    const message = isTold ? error.message : "the machine could not enter the shell's container";
    const told = call(address);
    // Its end is heard by whoever reads.
    told.receive(async () => undefined);
    void told.send({ $case: "failed", value: { tunnelId, message } });
    told.end();
  };

  return {
    onOpen: (wanted, address) => {
      run(wanted, address).catch((error: unknown) => refuse(wanted.tunnelId, address, error));
    },
    open: () => standing.size,
    stop: () => {
      for (const one of [...standing]) one.cancel();
    },
  };
}
