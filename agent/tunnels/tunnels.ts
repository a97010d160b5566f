/** Opens the tunnels that coordinators request, each as a call to the very coordinator that requested it. */
import type { OpenTunnel, SshTunnel } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import { mayTakeMore } from "@elastic/std/fair-share.ts";
import type { Logger } from "@elastic/std/log.ts";
import type Docker from "dockerode";
import { runExec } from "./exec-tunnel.ts";
import { runPort } from "./port-tunnel.ts";
import { NoTunnel, type ShellContainer, shellContainer } from "./shell-container.ts";
import { runSsh } from "./ssh-tunnel.ts";
import { TunnelCall, type TunnelStream } from "./tunnel-call.ts";
import type { TunnelSocket } from "./tunnel-socket.ts";
import { Turns } from "./turns.ts";

export interface TunnelsOptions {
  /** Null while no engine responds. */
  readonly docker: () => Docker | null;
  readonly nodeId: string;
  /** A stream to that coordinator. */
  readonly open: (address: string) => TunnelStream;
  /** A connection to that coordinator which carries the tunnel's bytes and nothing else. */
  readonly connect: (address: string, tunnelId: string) => Promise<TunnelSocket>;
  readonly log: Logger;
}

export interface Tunnels {
  /** `address` is that of the coordinator that requests it. */
  onOpen(wanted: OpenTunnel, address: string): void;
  open(): number;
  stop(): void;
}

const TUNNELS_MAX = 512;
/** More entries into containers at once slow each other down, and all else that the machine does. */
const OPENED_AT_A_TIME = 8;
/** What takes longer waits for the container and costs the machine little: a port behind which nobody takes calls. */
const OPENING_MS = 500;

export function createTunnels(options: TunnelsOptions): Tunnels {
  const { nodeId, log } = options;
  /** How each is ended, with its assignment. */
  const standing = new Map<{ cancel(): void }, string>();
  const turns = new Turns(OPENED_AT_A_TIME, OPENING_MS);

  const mayOpen = (assignmentId: string): boolean => {
    const own = [...standing.values()].filter((of) => of === assignmentId).length;
    return mayTakeMore({ own, taken: standing.size, max: TUNNELS_MAX });
  };

  const call = (assignmentId: string, address: string): TunnelCall => {
    const opened = new TunnelCall(options.open(address));
    standing.set(opened, assignmentId);
    opened.over.addEventListener("abort", () => standing.delete(opened), { once: true });
    return opened;
  };

  /** `begin` comes before it is opened. */
  const runSshOn = async (
    shell: ShellContainer,
    { tunnelId, assignmentId }: OpenTunnel,
    wanted: SshTunnel,
    address: string,
    begin: () => void,
  ): Promise<void> => {
    const over = new AbortController();
    const opened = { cancel: () => over.abort() };
    const dial = async (): Promise<TunnelSocket> => {
      begin();
      const socket = await options.connect(address, tunnelId);
      standing.set(opened, assignmentId);
      return socket;
    };
    try {
      await runSsh(shell, wanted, dial, over.signal);
    } finally {
      standing.delete(opened);
    }
  };

  const run = async (wanted: OpenTunnel, address: string): Promise<void> => {
    const { tunnelId, assignmentId, kind } = wanted;
    const endTurn = await turns.take(assignmentId);
    const opened = (): TunnelCall => {
      endTurn();
      const made = call(assignmentId, address);
      void made.send({ $case: "opened", value: { tunnelId } });
      return made;
    };
    try {
      const docker = options.docker();
      if (docker === null) throw new NoTunnel("the machine has no container engine");
      if (!mayOpen(assignmentId)) throw new NoTunnel("too many sessions are open on the shell's machine");
      const shell: ShellContainer = await shellContainer(docker, nodeId, assignmentId);
      if (kind?.$case === "exec") await runExec(shell, kind.value, opened);
      else if (kind?.$case === "port") await runPort(shell, kind.value.port, opened);
      else if (kind?.$case === "ssh") await runSshOn(shell, wanted, kind.value, address, endTurn);
      else throw new NoTunnel("the machine's agent is too old for this");
    } finally {
      endTurn();
    }
  };

  const refuse = ({ tunnelId, assignmentId }: OpenTunnel, address: string, error: unknown): void => {
    const isReported = error instanceof NoTunnel;
    if (!isReported) log.warn({ err: error, tunnelId }, "a tunnel failed");
    const message = isReported ? error.message : "the machine could not enter the shell's container";
    const failureCall = call(assignmentId, address);
    // Its end is observed by whoever reads.
    failureCall.receive(async () => undefined);
    void failureCall.send({ $case: "failed", value: { tunnelId, message } });
    failureCall.end();
  };

  return {
    onOpen: (wanted, address) => {
      run(wanted, address)
        .catch((error: unknown) => refuse(wanted, address, error))
        .catch((error: unknown) => log.warn({ err: error }, "the failure of a tunnel could not be reported"));
    },
    open: () => standing.size,
    stop: () => {
      for (const one of [...standing.keys()]) one.cancel();
    },
  };
}
