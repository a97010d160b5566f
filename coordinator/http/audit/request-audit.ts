/**
 * Whose request a commit is made for. It is known from the asynchronous context, so that no endpoint can forget to
 * say it; the commit takes its audit entry along (audit/audited-store.ts).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyRequest } from "fastify";
import type { AuditContext } from "../../audit/entries-of-commit.ts";
import type { AuditCredential } from "../../domain/audit-entry.ts";
import { addressOf } from "../access/caller.ts";
import { operationIdOf } from "../endpoint/operation-id.ts";

/**
 * The traffic of a service. The record of a task names who created it and when, and is retained as long; hundreds a
 * second in the audit log would hide and push out what was changed, and cost each task a further write.
 */
export const NOT_AUDITED: ReadonlySet<string> = new Set(["createTask", "createBatch", "createUpload"]);

export class RequestAudit {
  readonly #requests = new AsyncLocalStorage<FastifyRequest>();

  /** What `handle` starts commits for that request. */
  run(request: FastifyRequest, handle: () => void): void {
    if (NOT_AUDITED.has(operationIdOf(request))) handle();
    else this.#requests.run(request, handle);
  }

  /** Null outside of requests, and in those that are not audited. */
  current(): AuditContext | null {
    const request = this.#requests.getStore();
    return request === undefined ? null : contextOf(request);
  }
}

function contextOf(request: FastifyRequest): AuditContext {
  const { accessKey: key, id: requestId } = request;
  const action = operationIdOf(request);
  return {
    action,
    userId: key?.userId ?? null,
    credential: key === null ? ofNobody(action) : { kind: key.isSession ? "session" : "key", id: key.id },
    address: addressOf(request),
    requestId,
    teamId: key?.defaultTeamId ?? null,
  };
}

/** Who logs in, and a source host's signature, are known without a key. */
function ofNobody(action: string): AuditCredential {
  return { kind: action === "receiveSourceEvent" ? "source_host" : "login", id: null };
}
