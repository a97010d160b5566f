/**
 * The audit log as one, whether its entries have moved to the archive or not. The view is looked at first: what has
 * left it by then is in the archive, and what is in both is there once.
 */
import { type AuditEntry, type AuditFilter, type AuditPage, isListed } from "../domain/audit-entry.ts";
import type { View } from "../store/store.ts";
import type { Archive } from "./archive.ts";

export interface AuditList {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  readonly hasMore: boolean;
}

export class AuditLog {
  readonly #view: Pick<View, "auditEntries">;
  readonly #archive: Pick<Archive, "listAudit">;

  constructor(view: Pick<View, "auditEntries">, archive: Pick<Archive, "listAudit">) {
    this.#view = view;
    this.#archive = archive;
  }

  async list(filter: AuditFilter, page: AuditPage): Promise<AuditList> {
    const found = new Map<string, AuditEntry>();
    for (const { value } of this.#view.auditEntries.of(filter.teamId)) {
      if (isListed(value, filter, page)) found.set(value.id, value);
    }
    const archived = await this.#archive.listAudit(filter, { ...page, limit: page.limit + 1 });
    for (const entry of archived) found.set(entry.id, entry);
    const all = [...found.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
    return { entries: all.slice(0, page.limit), hasMore: all.length > page.limit };
  }
}
