/**
 * A machine of a pool becomes a node by a token of its pool. By what its driver calls it, or by the id of its request, it is
 * matched with the record of its request: exactly one machine has it. One that nobody requested is admitted while the pool has
 * room for it, under a name that is nobody else's, and recorded as such: what it claims to be is nothing that its driver is to remove.
 */
import { isId, newId } from "@elastic/std/ids.ts";
import { isNodeName, NODE_NAME_RULE } from "../domain/join-token.ts";
import { enrolled, type Node } from "../domain/node.ts";
import type { Pool } from "../domain/pool.ts";
import {
  enrolledMachine,
  exists,
  isComing,
  isMachineName,
  MACHINE_NAME_RULE,
  type MachineEnrollment,
  type PoolMachine,
  unrequestedMachine,
} from "../domain/pool-machine.ts";
import { isPoolTokenOver, type PoolToken } from "../domain/pool-token.ts";
import type { Versioned } from "../domain/versioned.ts";
import { put, replace, unchanged } from "../store/change.ts";
import type { Store, View } from "../store/store.ts";
import { type Decision, update } from "../store/update.ts";
import type { EnrollmentContext } from "./enrollment-context.ts";
import { EnrollmentRefusal } from "./enrollment-refusal.ts";
import { issueToNode } from "./issue.ts";
import { machineIdOf } from "./machine-id.ts";
import { digestOfKey, readRequestFor } from "./read-request.ts";

export interface PoolEnrollmentRequest {
  readonly nodeName: string;
  /** As its driver names it, or the id of its request; empty for the node's name. */
  readonly machine: string;
  readonly csr: Buffer;
}

export interface EnrolledMachine {
  readonly enrollment: MachineEnrollment;
  /** False for the response that was given before. */
  readonly isFirst: boolean;
}

interface Before {
  readonly token: Versioned<PoolToken>;
  readonly pool: Versioned<Pool>;
  readonly machine: Versioned<PoolMachine> | null;
  readonly node: Versioned<Node> | null;
  /** The node that has the machine's name. */
  readonly namesake: Versioned<Node> | null;
}

/** `readToken` throws where the token is none. Throws an EnrollmentRefusal. */
export async function enrollPoolMachine(
  context: EnrollmentContext,
  readToken: () => Promise<Versioned<PoolToken>>,
  given: PoolEnrollmentRequest,
): Promise<EnrolledMachine> {
  const { store, authority, certificateLifeMs, clock } = context;
  const name = given.machine === "" ? given.nodeName : given.machine;
  if (!isNodeName(given.nodeName)) throw invalid(`the node's name is not one: ${NODE_NAME_RULE}; give one with --node`);
  if (!isMachineName(name))
    throw invalid(`the machine's name is not one: ${MACHINE_NAME_RULE}; give the driver's name for it with --machine`);
  const request = readRequestFor(given.nodeName, given.csr);
  const publicKeySha256 = digestOfKey(request);
  const { result } = await update<Before, Decision<EnrolledMachine>["result"]>(store, {
    read: async () => {
      const token = await readToken();
      const { poolId } = token.value;
      const [pool, machine, node, namesake] = await Promise.all([
        store.get("pools", poolId),
        readMachine(store, poolId, name),
        store.get("nodes", given.nodeName),
        store.get("nodes", name),
      ]);
      if (pool === null) throw denied("the pool of the token was deleted");
      return { token, pool, machine, node, namesake };
    },
    decide: ({ token, pool, machine, node, namesake }) => {
      const now = clock.now();
      const { usesMax, uses } = token.value;
      if (isPoolTokenOver(token.value, now)) throw denied("the token has ended");
      const before = machine?.value ?? null;
      if (before !== null && before.enrollment !== null) {
        const { enrollment, nodeId } = before;
        const isSame = enrollment.publicKeySha256 === publicKeySha256 && nodeId === given.nodeName;
        if (!isSame || node?.value.state === "gone")
          throw denied(`machine ${name} has joined already, with another key`);
        return { changes: [], result: { enrollment, isFirst: false } };
      }
      if (before !== null && !isComing(before))
        throw denied(`machine ${name} is no longer wanted: its pool has it removed`);
      if (uses >= usesMax) throw denied(`the token has let in ${usesMax} machines already`);
      if (node !== null && node.value.state !== "gone") throw denied(`there is a node ${given.nodeName} already`);
      if (node !== null && !mayReturn(token.value, node.value, before !== null)) {
        throw denied(`node ${given.nodeName} was evicted after the token was made: make another token of the pool`);
      }
      const why = before !== null ? null : whyNotAdmitted(store.view, pool.value, name, namesake?.value ?? null);
      if (why !== null) throw denied(why);
      const enrollmentId = newId(now);
      const subject = { nodeName: given.nodeName, enrollmentId, publicKey: request.publicKey };
      const { pem, notAfter } = issueToNode(authority.current(), subject, now, certificateLifeMs);
      const enrollment = { at: now, publicKeySha256, certificatePem: pem, notAfter };
      const { id: poolId, costPerHour } = pool.value;
      const unrequested = { poolId, costPerHour, id: machineIdOf(poolId, name), machine: name };
      const after = enrolledMachine(before ?? unrequestedMachine(unrequested, now), given.nodeName, enrollment);
      const as = {
        id: given.nodeName,
        enrolmentId: enrollmentId,
        certificateEndsAt: notAfter,
        pool: { id: poolId, machine: name },
      };
      const changes = [
        replace("pool-tokens", token, { ...token.value, uses: uses + 1 }),
        unchanged("pools", pool),
        put("pool-machines", machine, after),
        put("nodes", node, enrolled(node?.value ?? null, as, now)),
      ];
      return { changes, result: { enrollment, isFirst: true } };
    },
  });
  return result;
}

/**
 * Whether a token of the pool lets the evicted node in again: one that was made since, or any that is for a machine which the driver
 * has since added under the same name. By instants, since each use changes the token's revision.
 */
function mayReturn({ poolId, createdAt }: PoolToken, { evictedAt, since, pool }: Node, isRequested: boolean): boolean {
  return (isRequested && pool?.id === poolId) || createdAt > (evictedAt ?? since);
}

/** Of a machine that nobody requested; null where it is admitted. */
function whyNotAdmitted(
  { poolMachines }: Pick<View, "poolMachines">,
  { id: poolId, max }: Pool,
  name: string,
  namesake: Node | null,
): string | null {
  const existing = [...poolMachines.values()].map(({ value }) => value).filter(exists);
  const other = existing.find((one) => one.poolId !== poolId && (one.machine === name || one.nodeId === name));
  if (other !== undefined) return `machine ${name} is of pool ${other.poolId}`;
  if (namesake !== null && namesake.state !== "gone" && namesake.pool?.id !== poolId)
    return `${name} is a node that is not of pool ${poolId}: name the machine otherwise, with --machine`;
  const count = existing.filter((one) => one.poolId === poolId).length;
  return count < max ? null : `nobody requested machine ${name}, and pool ${poolId} has its maximum of ${max} machines`;
}

/** By the id of its request, by its driver's name for it, or as one that has come unrequested. */
async function readMachine(store: Store, poolId: string, name: string): Promise<Versioned<PoolMachine> | null> {
  const known = [...store.view.poolMachines.of(poolId)].filter(({ value }) => value.machine === name);
  const wanted = known.find(({ value }) => isComing(value)) ?? known.find(({ value }) => value.state !== "released");
  const ids = [
    ...(isId(name) ? [name] : []),
    ...(wanted === undefined ? [] : [wanted.value.id]),
    machineIdOf(poolId, name),
  ];
  for (const id of ids) {
    const machine = await store.get("pool-machines", id);
    if (machine?.value.poolId === poolId && machine.value.state !== "released") return machine;
  }
  const before = await store.get("pool-machines", machineIdOf(poolId, name));
  return before?.value.poolId === poolId ? before : null;
}

function denied(why: string): EnrollmentRefusal {
  return new EnrollmentRefusal(
    "denied",
    `${why}; nothing was changed. \`elastic pool info\` shows the pool's machines`,
  );
}

function invalid(why: string): EnrollmentRefusal {
  return new EnrollmentRefusal("invalid", why);
}
