/** The stage of a start that agents connect to: leadership, the links, where all coordinators are, and enrollment. */
import type { Archive } from "../archive/archive.ts";
import type { Config } from "../config/config.ts";
import { Contacts } from "../contacts/contacts.ts";
import { COORDINATOR_VERSION } from "../domain/coordinator-version.ts";
import { rootOfLines } from "../enrollment/authority.ts";
import { hostAndPort } from "../enrollment/enrollment-address.ts";
import { startEnrollServer } from "../fleet/enroll-server.ts";
import { startFleet } from "../fleet/fleet-server.ts";
import { Links } from "../fleet/links.ts";
import { releasesPlace } from "../program-releases/releases-folder.ts";
import { serveInstalls } from "../program-releases/serve-installs.ts";
import { seesEnoughToLead } from "../scheduler/sees-enough-to-lead.ts";
import { type Announcement, announce } from "../store/coordinators.ts";
import { campaign, type Leadership } from "../store/leadership.ts";
import { listenAsSet } from "./listen-as-set.ts";
import { openTrust, type Trust } from "./open-trust.ts";
import { type Linked, part, type SharedParts } from "./shared-parts.ts";

/** A gateway accepts the agents' links too: users' bytes travel over them. */
export function takesLinks({ roles, sshListen }: Config): boolean {
  return roles.includes("fleet") || (roles.includes("ssh") && sshListen !== null);
}

export async function startLinks(
  shared: SharedParts & { readonly archive: Archive | null },
  starting: AsyncDisposableStack,
): Promise<Linked> {
  const { config, kv, clock, clocks, log, processId: coordinatorId } = shared;
  const links = new Links(clock);
  const isScheduler = config.roles.includes("scheduler");
  const canLead = () => seesEnoughToLead(shared.store.view);
  const contacts = new Contacts({
    kv,
    id: coordinatorId,
    links,
    leaderEpoch: () => leadership.epoch(),
    isCandidate: () => isScheduler && clocks.mayLead() && canLead(),
    canCommand: config.roles.includes("fleet"),
    clock,
    loops: shared.metrics.loops,
    log: part(log, "contacts"),
  });
  const mayLead = () => clocks.mayLead() && contacts.mayLead();
  const leadership = isScheduler
    ? campaign({ kv, coordinatorId, clock, mayLead, canLead, log: part(log, "leadership") })
    : NEVER_LEADS;
  starting.defer(() => leadership.stop());
  starting.defer(contacts.start());
  const trust = await openTrust({ ...shared, log: part(log, "authority") }, starting);
  // Agents receive the addresses of all coordinators, which are known once this one listens.
  let announced: Announcement | null = null;
  const coordinators = { addresses: () => announced?.addresses() ?? [] };
  const opening = startFleet({
    ...shared,
    clocks: clocks.keeper,
    links,
    leadership,
    contacts,
    log: part(log, "fleet"),
    coordinators,
    authority: trust.authority,
    config: {
      listen: hostAndPort(config.grpcListen),
      tls: trust.tls,
      coordinatorId,
      logBytesMax: config.taskLogBytesMax,
      shellEgress: config.shellEgress,
      certificateLifeMs: 1000 * config.certificateLife,
    },
  });
  const fleet = await listenAsSet("grpcListen", opening);
  starting.defer(() => fleet.stop());
  const grpcAddress = config.grpcAdvertise ?? fleet.address;
  const { roles } = config;
  const facts = { id: coordinatorId, grpcAddress, version: COORDINATOR_VERSION, roles, startedAt: clock.now() };
  const announcement = await announce({ kv, facts, log: part(log, "announce") });
  announced = announcement;
  starting.defer(() => announcement.stop());
  const enroll = await startEnrolling(shared, trust, coordinators, starting);
  return { grpc: fleet.address, enroll, fleet, contacts, leadership, authority: trust.authority };
}

/** Of a process without the scheduler, which receives reports but commands nothing. */
const NEVER_LEADS: Leadership = {
  epoch: () => null,
  subscribe: () => () => undefined,
  stop: async () => undefined,
};

/** Returns where it listens, or null where machines are not enrolled. */
async function startEnrolling(
  shared: SharedParts,
  { tls, authority }: Trust,
  coordinators: { addresses(): readonly string[] },
  starting: AsyncDisposableStack,
): Promise<string | null> {
  const { enrollListen, certificateLife } = shared.config;
  if (authority === null || enrollListen === null) return null;
  const log = part(shared.log, "enrollment");
  const installs = serveInstalls({
    place: releasesPlace(shared.config),
    version: COORDINATOR_VERSION,
    authorityPem: () => rootOfLines(authority.current()),
    clock: shared.clock,
    log,
  });
  const opening = startEnrollServer({
    ...shared,
    installs,
    tls,
    authority,
    listen: hostAndPort(enrollListen),
    certificateLifeMs: 1000 * certificateLife,
    coordinators,
    log,
  });
  const server = await listenAsSet("enrollListen", opening);
  starting.defer(() => server.stop());
  return server.address;
}
