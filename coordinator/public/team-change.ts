/** That a record of a team changed: which one, and how it stands now. What it holds is read at its own endpoint. */

export type ChangedKind =
  | "task"
  | "service"
  | "deployment"
  | "build"
  | "source"
  | "source_connection"
  | "volume"
  | "shell"
  | "webhook"
  | "delivery"
  | "key"
  | "session"
  | "team"
  | "member"
  | "invitation";

export interface Change {
  readonly kind: ChangedKind;
  /** Null for any of the kind. */
  readonly id: string | null;
  readonly serviceId: string | null;
  readonly state: string | null;
}

export interface TeamChange extends Change {
  readonly teamId: string;
  /** Of the store. */
  readonly revision: number;
}

/** The same for all changes of one record. */
export function recordOf({ kind, id }: Pick<Change, "kind" | "id">): string {
  return `${kind}/${id}`;
}
