/**
 * The links to all coordinators: one each, at the addresses the agent was given and those that welcomes list.
 * Commands count from any link while they are of the newest leader; what the agent reports of workloads goes to
 * all, and outcomes go to the one that commanded last.
 */
import type { AttemptProgress, AttemptRef, AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { BuildReport } from "@elastic/proto/gen/elastic/fleet/v1/build.ts";
import type { Hello, Welcome } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { NodeReport, NodeState } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { OpenTunnel } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import type { WorkloadReport } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { ENDED_ATTEMPTS_A_MESSAGE_MAX } from "@elastic/proto/message-limits.ts";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Channels } from "./channel.ts";
import { type Fence, startFence } from "./fence.ts";
import type { Heartbeats } from "./heartbeats.ts";
import { leaderEpoch } from "./leader-epoch.ts";
import { type CoordinatorMessage, type Link, openLink } from "./link.ts";
import type { ReadGpus } from "./session.ts";

/** What a command of a coordinator can be. */
export type Command = Extract<CoordinatorMessage, { $case: "assignments" | "attemptCommands" | "attemptAcks" }>;

export interface LinksOptions {
  readonly addresses: readonly string[];
  readonly channels: Channels;
  /** Of the thread; ended by whoever started them. */
  readonly heartbeats: Pick<Heartbeats, "contact" | "send" | "end">;
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Logger;
}

interface LinkHandlers {
  readonly hello: () => Hello;
  readonly gpuReadings: ReadGpus;
  readonly onWelcome: (welcome: Welcome) => void;
  /** Attempts that ended under store epochs before this one. */
  readonly endedBefore: (storeEpoch: bigint) => readonly AttemptRef[];
  /** The coordinator has noted them. */
  readonly onEndedNoted: (attempts: readonly AttemptRef[]) => void;
  readonly onCommand: (command: Command) => void;
  /** Whether the node takes work, as some coordinator says. */
  readonly onNodeState: (state: NodeState) => void;
  /** The coordinator at `address` requests a tunnel; any may, whoever leads. */
  readonly onOpenTunnel: (wanted: OpenTunnel, address: string) => void;
  /** A coordinator requests that the certificate be renewed before its time; again until it has the new one. */
  readonly onRenewalWanted: () => void;
  /** The last link went down. */
  readonly onUnlinked: () => void;
  readonly onFenced: () => void;
}

export interface LinkStatus {
  readonly address: string;
  readonly coordinatorId: string | null;
  readonly up: boolean;
  /** Null while it is up. */
  readonly whyDown: string | null;
}

export interface Links {
  /** Called once; until then no coordinator is linked. */
  open(handlers: LinkHandlers): void;
  linked(): boolean;
  status(): readonly LinkStatus[];
  /** Address of a coordinator that responds, the commanding one first. */
  bulkAddress(): string | null;
  sendReports(reports: AttemptReport[]): boolean;
  sendWorkload(report: WorkloadReport): void;
  sendProgress(progresses: AttemptProgress[]): void;
  sendBuild(report: BuildReport): void;
  sendNode(report: NodeReport): void;
  /** To the one that commanded last; false when none is linked. */
  sendNodeToOne(report: NodeReport): boolean;
  /** Sends the hello again on new sessions, with the certificate as it is now; nothing is lost in between. */
  renew(): void;
  stop(): void;
}

export function createLinks(options: LinksOptions): Links {
  const { heartbeats, clock, log } = options;
  let handlers: LinkHandlers | null = null;
  let fence: Fence | null = null;
  const links = new Map<string, Link>();
  const epoch = leaderEpoch();
  let commanding: Link | null = null;

  const upLinks = (): readonly Link[] => [...links.values()].filter((link) => link.up());
  const preferred = (): Link | undefined => (commanding?.up() ? commanding : upLinks()[0]);

  const onMessage = (link: Link, message: CoordinatorMessage): void => {
    switch (message.$case) {
      case "assignments":
        if (!epoch.admitsSet(message.value)) return;
        commanding = link;
        break;
      case "attemptCommands":
        if (!epoch.admits(message.value)) return;
        commanding = link;
        break;
      case "attemptAcks":
        break;
      case "endedAttemptsAck":
        handlers?.onEndedNoted(message.value.attempts);
        return;
      case "nodeState":
        handlers?.onNodeState(message.value);
        return;
      case "openTunnel":
        handlers?.onOpenTunnel(message.value, link.address);
        return;
      default:
        return;
    }
    handlers?.onCommand(message);
  };

  const onWelcome = (link: Link, welcome: Welcome): void => {
    heartbeats.contact.setFenceAfterMs(welcome.fenceAfterMs);
    const { linkId, heartbeatIntervalMs: intervalMs } = welcome;
    if (linkId === "") heartbeats.end(link.address);
    else heartbeats.send({ address: link.address, linkId, intervalMs });
    onCoordinators(link, welcome.coordinatorAddresses);
    handlers?.onWelcome(welcome);
    // To this coordinator, which takes them: one that sends no epoch does not know the message.
    const ended = handlers?.endedBefore(welcome.storeEpoch) ?? [];
    for (let at = 0; at < ended.length; at += ENDED_ATTEMPTS_A_MESSAGE_MAX) {
      const attempts = ended.slice(at, at + ENDED_ATTEMPTS_A_MESSAGE_MAX);
      link.send({ $case: "endedAttempts", value: { attempts } });
    }
  };

  const onCoordinators = (link: Link, announced: readonly string[]): void =>
    reach(new Set([...options.addresses, ...announced, link.address]));

  const reach = (addresses: ReadonlySet<string>): void => {
    if (handlers === null) return;
    for (const address of addresses) if (!links.has(address)) links.set(address, openOne(address, handlers));
    for (const [address, link] of links) {
      if (addresses.has(address) || link.up()) continue;
      link.stop();
      heartbeats.end(address);
      links.delete(address);
    }
  };

  /** Two addresses may lead to one coordinator, which takes only the newer link of a node. */
  const needless = (link: Link): boolean => {
    const id = link.coordinatorId();
    return id !== null && upLinks().some((other) => other !== link && other.coordinatorId() === id);
  };

  const openOne = (address: string, { hello, gpuReadings, onRenewalWanted, onUnlinked }: LinkHandlers): Link =>
    openLink({
      address,
      dial: () => options.channels.fleet(address),
      hello,
      gpuReadings,
      onWelcome,
      onCoordinators,
      onRenewalWanted,
      onMessage,
      onDown: () => {
        if (upLinks().length > 0) return;
        for (const link of links.values()) link.hurry();
        onUnlinked();
      },
      onAlive: (sentAtMs) => heartbeats.contact.onAlive(sentAtMs, clock.monotonicMs()),
      needless,
      isUrgent: () => upLinks().length === 0,
      random: options.random,
      clock: options.clock,
      log,
    });

  return {
    open: (opened) => {
      handlers = opened;
      fence = startFence(heartbeats.contact, clock, () => {
        log.error("no coordinator has responded for too long: all running attempts are abandoned");
        opened.onFenced();
        // One that receives nothing may still send: what it commands now would be stopped by no further fence.
        for (const link of links.values()) link.abandon("it has not acknowledged a heartbeat for too long");
      });
      reach(new Set(options.addresses));
    },
    linked: () => upLinks().length > 0,
    status: () =>
      [...links.values()].map((link) => ({
        address: link.address,
        coordinatorId: link.coordinatorId(),
        up: link.up(),
        whyDown: link.whyDown(),
      })),
    bulkAddress: () => preferred()?.address ?? null,
    sendReports: (reports) => preferred()?.send({ $case: "attemptReports", value: { reports } }) ?? false,
    sendWorkload: (report) => {
      for (const link of upLinks()) link.send({ $case: "workloadReport", value: report });
    },
    sendBuild: (report) => {
      for (const link of upLinks()) link.send({ $case: "buildReport", value: report });
    },
    sendNode: (report) => {
      for (const link of upLinks()) link.send({ $case: "nodeReport", value: report });
    },
    sendNodeToOne: (report) => preferred()?.send({ $case: "nodeReport", value: report }) ?? false,
    sendProgress: (progresses) => {
      for (const link of upLinks()) link.send({ $case: "attemptProgress", value: { progresses } });
    },
    renew: () => {
      for (const link of links.values()) link.renew();
    },
    stop: () => {
      fence?.stop();
      for (const [address, link] of links) {
        link.stop();
        heartbeats.end(address);
      }
    },
  };
}
