/** Why a request is none of the service's webhook: respond with 400, and do nothing else. */
import { ElasticError } from "../errors/elastic-error.ts";

const MESSAGES = {
  header_missing: "The request lacks a header of webhooks: webhook-id, webhook-timestamp and webhook-signature.",
  timestamp_invalid: "The webhook-timestamp is not a number of seconds.",
  timestamp_too_old: "The webhook-timestamp is too old: the request may be a repetition by somebody else.",
  timestamp_too_new: "The webhook-timestamp is in the future: the clock of this machine may be off.",
  signature_invalid: "No signature of the request is by this secret.",
  body_invalid: "The body is signed, but is no event.",
} as const;

export class WebhookVerificationError extends ElasticError {
  override readonly name = "WebhookVerificationError";
  readonly reason: keyof typeof MESSAGES;

  constructor(reason: keyof typeof MESSAGES) {
    super(MESSAGES[reason]);
    this.reason = reason;
  }
}
