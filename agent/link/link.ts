/**
 * One control stream to one coordinator, opened again whenever it ends.
 *
 *   dialling ──welcome──▶ up ──error, end, silence──▶ waiting ──backoff──▶ dialling
 *
 * When the certificate was renewed, a second session with it takes over from the one that is up: nothing is lost between.
 * A lost link is opened again quickly; one that another agent took over, later and later (takeovers.ts).
 * Heartbeats are sent by a timer of the event loop; those of the thread, which work cannot delay, are in heartbeats.ts.
 */
import type {
  ConnectRequest,
  ConnectResponse,
  FleetServiceClient,
  Hello,
  Welcome,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { reconnectDelayMs } from "./reconnect-delay.ts";
import { openSession, type ReadGpus, type Session } from "./session.ts";
import { takeovers } from "./takeovers.ts";

type LinkMessage = NonNullable<ConnectRequest["message"]>;
export type CoordinatorMessage = NonNullable<ConnectResponse["message"]>;

export interface LinkOptions {
  readonly address: string;
  readonly dial: () => FleetServiceClient;
  readonly hello: () => Hello;
  readonly gpuReadings: ReadGpus;
  readonly onWelcome: (link: Link, welcome: Welcome) => void;
  /** Where coordinators are, when they are others than at the welcome. */
  readonly onCoordinators: (link: Link, addresses: readonly string[]) => void;
  readonly onRenewalWanted: () => void;
  readonly onMessage: (link: Link, message: CoordinatorMessage) => void;
  readonly onDown: (link: Link) => void;
  /** A heartbeat or the hello, sent at this monotonic time, was acknowledged. */
  readonly onAlive: (sentAtMs: number) => void;
  /** Whether another link to the same coordinator makes this one needless at present. */
  readonly needless: (link: Link) => boolean;
  /** Whether no coordinator is linked. */
  readonly isUrgent: () => boolean;
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Link {
  readonly address: string;
  /** Of the last welcome; null before the first. */
  coordinatorId(): string | null;
  up(): boolean;
  /** Null while it is up, and before it was first tried. */
  whyDown(): string | null;
  /** False when the link is not up. */
  send(message: LinkMessage): boolean;
  /** There is a new certificate: go over to it. */
  renew(): void;
  /** No coordinator is linked any more: it waits for no longer than is urgent. */
  hurry(): void;
  /** Ends the session, whatever may still come on it, and opens another one. */
  abandon(why: string): void;
  stop(): void;
}

/** Between two tries to go over to a new certificate. */
const RENEW_RETRY_MS = 1_000;
/** Between two looks at whether a link is needed that was not. */
const NEEDLESS_FOR_MS = 5_000;
const TAKEN_OVER =
  "another agent uses this node's certificate and took over its link, and work that ran here may be lost: " +
  "stop one of them, or enroll it as another node";

export function openLink(options: LinkOptions): Link {
  const { address, clock, log } = options;
  let state: "dialling" | "up" | "waiting" | "stopped" = "waiting";
  let stream: Session["stream"] | null = null;
  let coordinatorId: string | null = null;
  let whyDown: string | null = null;
  let failures = 0;
  let spreadMs = 0;
  let upAt: number | null = null;
  /** Whether the last session ended because a newer link of this node took over. */
  let wasTakenOver = false;
  const rivals = takeovers();
  let retry: NodeJS.Timeout | null = null;
  /** Of `retry`. */
  let retryAtMs = 0;
  let endSession: () => void = () => undefined;
  /** With the new certificate, on its way to take over. */
  let successor: Session | null = null;
  /** Whether the certificate was renewed since the last session was opened. */
  let isOutdated = false;
  let renewRetry: NodeJS.Timeout | null = null;

  const newSession = () => ({
    client: options.dial(),
    hello: options.hello(),
    gpuReadings: options.gpuReadings,
    clock,
  });

  const dial = (): void => {
    if (state === "stopped") return;
    if (options.needless(link)) {
      wasTakenOver = false;
      redial(NEEDLESS_FOR_MS);
      return;
    }
    // Logged only now: what took over may as well have been this agent's other link to the same coordinator.
    if (wasTakenOver) log.error({ address }, TAKEN_OVER);
    wasTakenOver = false;
    state = "dialling";
    isOutdated = false;
    let session: Session;
    try {
      session = openSession(newSession(), {
        onWelcome: (welcome) => {
          state = "up";
          failures = 0;
          whyDown = null;
          spreadMs = welcome.reconnectSpreadMs ?? 0;
          upAt = clock.monotonicMs();
          coordinatorId = welcome.coordinatorId;
          log.info({ coordinator: welcome.coordinatorId, address }, "linked");
          options.onWelcome(link, welcome);
          if (isOutdated) goOver();
        },
        onMessage: (message) => options.onMessage(link, message),
        onCoordinators: (addresses) => options.onCoordinators(link, addresses),
        onRenewalWanted: options.onRenewalWanted,
        onAlive: options.onAlive,
        onEnd: ended,
      });
    } catch (error) {
      down(error instanceof Error ? error.message : String(error), false);
      return;
    }
    stream = session.stream;
    endSession = session.end;
  };

  /** The session that was up may end before its successor is welcomed: the coordinator takes only the newer one. */
  const ended = (why: string, takenOver: boolean): void => {
    if (successor === null) down(why, takenOver);
    else stream = null;
  };

  const goOver = (): void => {
    isOutdated = true;
    if (state !== "up" || successor !== null) return;
    isOutdated = false;
    const failed = (why: string): void => {
      successor = null;
      if (state !== "up") return;
      if (stream === null) {
        down(why, false);
        return;
      }
      log.warn({ address, why }, "the link could not go over to the renewed certificate; tries again");
      renewRetry = setTimeout(goOver, RENEW_RETRY_MS);
    };
    try {
      const next = openSession(newSession(), {
        onWelcome: (welcome) => {
          endSession();
          stream = next.stream;
          endSession = next.end;
          successor = null;
          coordinatorId = welcome.coordinatorId;
          spreadMs = welcome.reconnectSpreadMs ?? 0;
          log.info({ coordinator: welcome.coordinatorId, address }, "linked with the renewed certificate");
          options.onWelcome(link, welcome);
          if (isOutdated) goOver();
        },
        onMessage: (message) => options.onMessage(link, message),
        onCoordinators: (addresses) => options.onCoordinators(link, addresses),
        onRenewalWanted: options.onRenewalWanted,
        onAlive: options.onAlive,
        onEnd: (why, takenOver) => (successor === next ? failed(why) : ended(why, takenOver)),
      });
      successor = next;
    } catch (error) {
      failed(error instanceof Error ? error.message : String(error));
    }
  };

  const reconnect = (failed: number) => ({ failures: failed, spreadMs, isUrgent: options.isUrgent() });

  const redial = (delayMs: number): void => {
    retryAtMs = clock.monotonicMs() + delayMs;
    retry = setTimeout(dial, delayMs);
  };

  const down = (why: string, takenOver: boolean): void => {
    stream = null;
    if (state === "stopped") return;
    const wasUp = state === "up";
    state = "waiting";
    whyDown = why;
    wasTakenOver = takenOver;
    if (upAt !== null) rivals.onEnded(clock.monotonicMs() - upAt);
    upAt = null;
    failures += 1;
    const random = options.random();
    const delayMs = takenOver ? rivals.onTakenOver(random) : reconnectDelayMs(reconnect(failures), random);
    const next = `retrying in ${(delayMs / 1000).toFixed(1)} s`;
    if (wasUp) log.warn({ address, why }, `link lost; ${next}`);
    else log.warn({ address, why, failures }, `coordinator does not respond; ${next}`);
    redial(delayMs);
    if (wasUp) options.onDown(link);
  };

  const link: Link = {
    address,
    coordinatorId: () => coordinatorId,
    up: () => state === "up",
    whyDown: () => whyDown,
    send: (message) => {
      if (state !== "up" || stream === null) return false;
      stream.write({ message });
      return true;
    },
    renew: goOver,
    hurry: () => {
      // One that another agent took over holds off.
      if (state !== "waiting" || wasTakenOver || retry === null) return;
      const delayMs = reconnectDelayMs(reconnect(1), options.random());
      if (clock.monotonicMs() + delayMs >= retryAtMs) return;
      clearTimeout(retry);
      redial(delayMs);
    },
    abandon: (why) => {
      if (state !== "up" && state !== "dialling") return;
      successor?.end();
      successor = null;
      endSession();
      down(why, false);
    },
    stop: () => {
      state = "stopped";
      if (retry !== null) clearTimeout(retry);
      if (renewRetry !== null) clearTimeout(renewRetry);
      successor?.end();
      endSession();
    },
  };
  retry = setTimeout(dial, 0);
  return link;
}
