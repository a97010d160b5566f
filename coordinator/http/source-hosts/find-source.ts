/** Source hosts, connections and sources that the caller may see, and what a host's failure is to a client. */
import type { AccessKey } from "../../domain/access-key.ts";
import type { ServiceSource } from "../../domain/service-source.ts";
import type { Versioned } from "../../domain/versioned.ts";
import type { SourceHost } from "../../source-hosts/source-host.ts";
import { SourceHostError, type SourceHostErrorCode, sentencesOf } from "../../source-hosts/source-host-error.ts";
import type { Store } from "../../store/store.ts";
import { readVisible } from "../access/read-visible.ts";
import { notFound, Problem, type ProblemCode } from "../problems/problem.ts";

export interface SourceHostDeps {
  readonly sourceHosts: readonly SourceHost[];
}

export function findSourceHost(hosts: readonly SourceHost[], name: string): SourceHost {
  const host = hosts.find((one) => one.name === name);
  if (host === undefined) throw notFound("source host");
  return host;
}

/** That of a service that the key may see. */
export async function readSource(store: Store, key: AccessKey, serviceId: string): Promise<Versioned<ServiceSource>> {
  const service = await readVisible(store, key, "services", serviceId);
  const source = await store.get("service-sources", service.value.id);
  if (source === null) throw notFound("source");
  return source;
}

/** Everything else that a user named is not as it has to be. */
const PROBLEM_OF: Partial<Readonly<Record<SourceHostErrorCode, ProblemCode>>> = {
  host_down: "source_host_unavailable",
  host_invalid: "source_host_unavailable",
  app_rejected: "source_host_unavailable",
  authorization_failed: "source_authorization_needed",
  authorization_needed: "source_authorization_needed",
  no_permission: "source_not_permitted",
  revoked: "source_connection_ended",
  suspended: "source_connection_ended",
  name_taken: "repository_name_taken",
  repository_not_added: "repository_incomplete",
  repository_unfinished: "repository_incomplete",
  template_missing: "no_template",
};

/** Where a source is set: the part of the request that is to blame. */
const POINTER_OF: Partial<Readonly<Record<SourceHostErrorCode, string>>> = {
  ref_invalid: "#/branch",
  ref_unknown: "#/branch",
  repository_gone: "#/repository_id",
  repository_not_linked: "#/repository_id",
  repository_is_fork: "#/repository_id",
  name_taken: "#/name",
  name_invalid: "#/name",
};

/** Rethrows what is no failure of a source host. */
export function refuseSourceError(hosts: readonly SourceHost[], name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SourceHostError)) throw error;
    const title = hosts.find((one) => one.name === name)?.title ?? name;
    const code = PROBLEM_OF[error.code] ?? "source_invalid";
    const detail = sentencesOf(error.code, title);
    const pointer = POINTER_OF[error.code];
    throw new Problem(code, detail, { cause: error, ...(pointer !== undefined && { errors: [{ pointer, detail }] }) });
  };
}
