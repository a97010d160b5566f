/**
 * What a hello changes: the node's record is ready again under this session, its workloads' records are as the
 * agent says, and each attempt it carries continues or is cancelled. All by compare-and-swap, so that any coordinator
 * may be greeted, and two at once.
 */

import { isDeepStrictEqual } from "node:util";
import { type AttemptDirective, type AttemptRef, Directive } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Hello } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { status } from "@grpc/grpc-js";
import { greeted } from "../domain/node.ts";
import type { Task } from "../domain/task.ts";
import type { Versioned } from "../domain/versioned.ts";
import { put } from "../store/change.ts";
import { UnreadableRecordError } from "../store/codec.ts";
import { update } from "../store/update.ts";
import { whyRefused } from "./admit-node.ts";
import { attemptKey, findRunningOn, type NamedAttempt, readAttemptRef } from "./attempt-ref.ts";
import type { FleetContext } from "./fleet-context.ts";
import { HELLO_LOOKUPS_MAX, PROTOCOL_VERSION, PROTOCOL_VERSION_MIN } from "./limits.ts";
import type { NodeIdentity } from "./node-identity.ts";
import { readInventory } from "./read-inventory.ts";
import { Refusal, Violation } from "./refusal.ts";
import { trustOf } from "./renewal-wanted.ts";
import { nameOf } from "./wire-text.ts";

const SESSION_ID_PATTERN = /^[A-Za-z0-9_-]{8,64}$/;

/** Throws the refusal of a hello that is rejected. */
export function checkHello(hello: Hello, identity: NodeIdentity): void {
  if (hello.nodeId !== identity.nodeId) {
    const said = nameOf(hello.nodeId, 64);
    throw new Violation(
      "hello",
      status.UNAUTHENTICATED,
      `the certificate is that of node ${identity.nodeId}, not of ${said}`,
    );
  }
  if (hello.protocolVersion < PROTOCOL_VERSION_MIN || hello.protocolVersion > PROTOCOL_VERSION) {
    throw new Refusal(
      status.FAILED_PRECONDITION,
      `the agent speaks version ${hello.protocolVersion}; this coordinator takes ${PROTOCOL_VERSION_MIN} to ${PROTOCOL_VERSION}`,
    );
  }
  if (hello.inventory === undefined) throw invalid("it has no inventory");
  const uuids = hello.inventory.gpus.flatMap(({ uuid }) => (uuid === "" ? [] : [uuid]));
  if (new Set(uuids).size < uuids.length) throw invalid("its inventory has a GPU twice");
  if (!SESSION_ID_PATTERN.test(hello.sessionId)) throw invalid("its session id is not 8 to 64 letters and digits");
}

/** Writes the node's record, unless it says so already. */
export async function writeNode(
  context: Pick<FleetContext, "store" | "clock">,
  identity: NodeIdentity,
  hello: Hello,
): Promise<void> {
  const { store, clock } = context;
  if (hello.inventory === undefined) throw invalid("it has no inventory");
  const trust = trustOf(identity, hello.trustedRoots);
  const said = {
    id: hello.nodeId,
    inventory: readInventory(hello.inventory),
    agentVersion: nameOf(hello.agentVersion, 64),
    sessionId: hello.sessionId,
    ...(trust === null ? {} : { trust }),
    certificateEndsAt: identity.notAfter,
  };
  await update(store, {
    read: () => store.get("nodes", hello.nodeId),
    decide: (before) => {
      // As the store has it now: the view that let the call in may be behind.
      const refusal = whyRefused(identity, before?.value, clock.now());
      if (refusal !== null) throw refusal;
      const after = greeted(before?.value ?? null, said, clock.now());
      const isSame = before !== null && isDeepStrictEqual(before.value, after);
      return isSame ? [] : [put("nodes", before, after)];
    },
  });
}

export interface Directives {
  readonly directives: AttemptDirective[];
  /** Keys of the attempts that continue. */
  readonly current: readonly string[];
}

/** What is current on this node continues, the rest is cancelled. */
export async function directAttempts(
  context: Pick<FleetContext, "store" | "violations">,
  nodeId: string,
  attempts: readonly AttemptRef[],
): Promise<Directives> {
  const current: string[] = [];
  const direct = async (attempt: AttemptRef): Promise<AttemptDirective> => {
    const named = readAttemptRef(attempt);
    if (named === null) context.violations.note(nodeId, "attempt", "its hello names what is no attempt");
    const task = named === null ? null : await findUnlessUnreadable(context, nodeId, named);
    // It runs as far as anybody here can know.
    if (task === "unreadable") return { attempt, directive: Directive.DIRECTIVE_KEEP };
    if (task === null) return { attempt, directive: Directive.DIRECTIVE_CANCEL };
    current.push(attemptKey(task.value.id, task.revision));
    return { attempt, directive: Directive.DIRECTIVE_KEEP };
  };
  const directives: AttemptDirective[] = [];
  for (let at = 0; at < attempts.length; at += HELLO_LOOKUPS_MAX) {
    directives.push(...(await Promise.all(attempts.slice(at, at + HELLO_LOOKUPS_MAX).map(direct))));
  }
  return { directives, current };
}

async function findUnlessUnreadable(
  context: Pick<FleetContext, "store" | "violations">,
  nodeId: string,
  named: NamedAttempt,
): Promise<Versioned<Task> | null | "unreadable"> {
  try {
    return await findRunningOn(context, nodeId, named);
  } catch (error) {
    if (error instanceof UnreadableRecordError) return "unreadable";
    throw error;
  }
}

function invalid(what: string): Refusal {
  return new Violation("hello", status.INVALID_ARGUMENT, `the hello cannot be read: ${what}`);
}
