/**
 * `--enroll`: machines may join at an address of this machine. Certificates are then the coordinator's own, so the demo's agent is
 * enrolled like any other, at each start and as the same node.
 */
import { enrollAgent } from "../local/agent.ts";
import { joinLine } from "../local/coordinator.ts";
import type { Ground } from "./ground.ts";
import { assertOwnAddress, ownAddresses } from "./own-address.ts";

/** Until when the printed line is accepted. */
const PRINTED_TTL = "24h";
const OWN_TTL = "5m";

export interface Enrollment {
  /** An IPv4 address of this machine. */
  readonly address: string;
  readonly port: number;
}

/** As in an earlier start with the same state, whose machines look for it there; null where none may join. */
export async function chosenEnrollment(given: string | null, { restart }: Ground): Promise<Enrollment | null> {
  const address = given ?? restart.facts().enrollAddress;
  if (address === undefined) return null;
  assertOwnAddress(address, ownAddresses());
  restart.set({ enrollAddress: address });
  return { address, port: await restart.port("enroll") };
}

/** For coordinators without certificate files. */
export function enrollmentSettings({ address, port }: Enrollment, grpcPort: number): Readonly<Record<string, string>> {
  return { ELASTIC_GRPC_LISTEN: `${address}:${grpcPort}`, ELASTIC_ENROLL_LISTEN: `${address}:${port}` };
}

/** The line with which one machine joins. */
export function lineToPaste(enrollment: Enrollment, { etcd, path }: { readonly etcd: string; readonly path: string }) {
  return joinLine({ etcd: [etcd], path }, { enroll: listener(enrollment), ttl: PRINTED_TTL });
}

export async function enrollOwnAgent(
  enrollment: Enrollment,
  { etcd, nodeId }: { readonly etcd: string; readonly nodeId: string },
  { places, path }: Ground,
): Promise<void> {
  const order = { enroll: listener(enrollment), ttl: OWN_TTL, node: nodeId };
  await enrollAgent(await joinLine({ etcd: [etcd], path }, order), { stateDir: places.agent, path });
}

function listener({ address, port }: Enrollment): string {
  return `${address}:${port}`;
}
