/** Who was given access, and who lost or was refused it: log lines that carry `audit: true`. Never a secret. */
import type { Logger } from "@elastic/std/log.ts";

export type AuditEvent =
  | "key_created"
  | "key_revoked"
  | "login_failed"
  | "login_link_created"
  | "session_started"
  | "session_ended"
  | "account_linked"
  | "account_unlinked"
  | "device_approved"
  | "device_declined"
  | "user_created"
  | "team_created"
  | "team_renamed"
  | "member_added"
  | "member_changed"
  | "member_removed"
  | "invitation_created"
  | "invitation_revoked"
  | "join_token_created"
  | "join_token_revoked"
  | "node_enrolled"
  | "enrolment_refused"
  | "node_evicted"
  | "node_drained"
  | "node_resumed"
  | "requeue_resumed"
  | "webhook_created"
  | "webhook_changed"
  | "webhook_deleted"
  | "webhook_secret_rotated"
  | "authorized_key_added"
  | "authorized_key_removed"
  | "shell_created"
  | "shell_deleted"
  | "shell_password_shown"
  | "shell_login"
  | "shell_login_failed"
  | "shell_logout";

export function audit(log: Pick<Logger, "info">, event: AuditEvent, facts: Readonly<Record<string, unknown>>): void {
  log.info({ audit: true, event, ...facts }, event.replaceAll("_", " "));
}
