/** Entries of the audit log, complete and plausible, with what a test cares about given. */
import { newId } from "@elastic/std/ids.ts";
import type { AuditEntry } from "../../domain/audit-entry.ts";

export function anAuditEntry(given: Partial<AuditEntry> = {}): AuditEntry {
  const at = given.at ?? 1_700_000_000_000;
  return {
    id: newId(at),
    at,
    teamId: "0".repeat(31).concat("a"),
    action: "createService",
    userId: "0".repeat(31).concat("c"),
    credential: { kind: "key", id: "k" },
    address: "192.0.2.1",
    requestId: "request",
    object: { kind: "service", id: "0".repeat(31).concat("5"), name: "prover" },
    also: [],
    before: null,
    after: { service_name: "prover" },
    ...given,
  };
}
