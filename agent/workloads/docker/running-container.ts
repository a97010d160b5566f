/** A container that runs, with the way into it: what a prover is made of. */
import { setTimeout as delay } from "node:timers/promises";
import type { Container } from "dockerode";
import { type Dispatcher, Pool } from "undici";
import type { ProverLog } from "../../domain/prover-log.ts";
import { type ContainerEnd, untilExit } from "./container-exit.ts";
import { readLogTail } from "./container-log.ts";
import { hasEngineResponded } from "./engine-failure.ts";
import { followLog } from "./follow-log.ts";
import { listeningPortsOf } from "./listening-ports.ts";
import { memoryKillsOf } from "./memory-kills.ts";
import { type WatchedProcess, watchProcess } from "./process-lives.ts";
import { type Relay, startRelay } from "./relay.ts";
import { removeContainer } from "./remove-container.ts";

export interface RunningContainer extends CalledContainer {
  readonly container: Container;
  /** Whether its first process lives, as the kernel says: the engine learns of an end a little later. */
  lives(): boolean;
  /** TCP ports that something in it listens on; null where that cannot be seen. */
  listeningPorts(): readonly number[] | null;
}

/** What calls of a prover need of its container, whatever runs it. */
export interface CalledContainer {
  /** HTTP to the prover. */
  readonly http: Dispatcher;
  /** Resolves once the container has ended; its log can still be read, where its engine responds. */
  readonly exited: Promise<ContainerEnd>;
  /** What it writes, from when it was opened. */
  readonly log: ProverLog;
  /** Once it has closed a connection: its end, if it is gone or goes within a moment; null for one that lives on. */
  endIfDying(): Promise<ContainerEnd | null>;
  /** Whether anybody requested its end of the engine. */
  endRequested(): boolean;
  /** How many of its processes the kernel has killed for memory so far. */
  memoryKills(): number;
  /** The end of what it wrote since an instant of the wall clock. */
  logSince(sinceMs: number): Promise<string>;
  /** Ends it as the agent's own wish. */
  kill(): Promise<void>;
  /** Kills it and removes what is left of it. */
  remove(): Promise<void>;
}

interface Inside extends Pick<RunningContainer, "memoryKills" | "listeningPorts"> {
  readonly relay: Relay;
  readonly first: WatchedProcess;
}

export interface RelayPlace {
  readonly port: number;
  readonly socketPath: string;
  readonly connectionsMax: number;
}

const LOG_TAIL_BYTES_MAX = 4 * 1024;
/** A dying process closes its connections a moment before it is gone. */
const DYING_MS = 50;

/** The container must have been started; rejects when it is gone already. */
export async function openContainer(
  container: Container,
  place: RelayPlace,
  endRequested: () => boolean,
): Promise<RunningContainer> {
  let killed = false;
  const { relay, first, memoryKills, listeningPorts } = await relayInto(container, place);
  const exited = untilExit(container, first.lives, () => killed, endRequested);
  const written = followLog(container, first.lives);
  await written.followed;
  // A connection for each task: one that is reused may be closed by the prover just as the next task comes.
  const http = new Pool("http://prover", {
    socketPath: place.socketPath,
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 10_000 },
  });

  const kill = async (): Promise<void> => {
    killed = true;
    await container.kill({ signal: "SIGKILL" }).catch((error: unknown) => {
      // Nobody else ends it while its engine is away, and some engines keep it when they are back.
      if (!hasEngineResponded(error)) first.kill();
    });
  };
  // Without its relay nobody can reach it.
  void relay.ended.then(kill);

  return {
    container,
    http,
    exited,
    log: written.log,
    lives: first.lives,
    endIfDying: async () => {
      if (first.lives()) await delay(DYING_MS);
      return first.lives() ? null : exited;
    },
    endRequested,
    listeningPorts,
    memoryKills,
    logSince: (sinceMs) => readLogTail(container, sinceMs, LOG_TAIL_BYTES_MAX),
    kill,
    remove: async () => {
      await kill();
      written.stop();
      await relay.stop();
      await http.destroy().catch(() => undefined);
      await removeContainer(container);
      // An engine that was killed may take a container for ended whose process it has only lost sight of.
      first.kill();
    },
  };
}

/**
 * A process id may pass to another process at any time, and entering that one's network would be worse than not
 * getting in: the relay counts only if the container still runs as the same process after it was entered.
 */
async function relayInto(container: Container, place: RelayPlace): Promise<Inside> {
  const before = (await container.inspect()).State;
  if (!before.Running || before.Pid === 0) throw new Error("the container ended as it was started");
  const first = watchProcess(before.Pid);
  const memoryKills = memoryKillsOf(before.Pid);
  const relay = await startRelay({ pid: before.Pid, ...place });
  const after = (await container.inspect()).State;
  const listeningPorts = () => (first.lives() ? listeningPortsOf(before.Pid) : null);
  if (after.Running && after.Pid === before.Pid) return { relay, first, memoryKills, listeningPorts };
  await relay.stop();
  throw new Error("the container ended while it was entered");
}
