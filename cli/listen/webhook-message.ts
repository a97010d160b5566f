/** What a webhook posts, as `elastic listen` forwards it: everything but the time and the signature of the attempt. */
import type { components } from "elastic-client/gen/schema.ts";

export interface WebhookMessage {
  /** `webhook-id`: the same however often the event is forwarded. */
  readonly id: string;
  readonly type: string;
  /** Of the task, deployment, build or webhook that it is about. */
  readonly subjectId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A record of the team that changed, by its event stream. */
export type Change = components["schemas"]["TeamChanges"]["changes"][number];

/** Where the messages of a service come from. Each returns messages that it may have returned before. */
export interface MessageSource {
  /** What happened since the command began, the oldest first: after a cut that the stream does not bridge. */
  catchUp(): Promise<readonly WebhookMessage[]>;
  /** What one change is about; null for nothing that webhooks receive. */
  onChange(change: Change): Promise<WebhookMessage | null>;
  /** Whether only a list shows what happened, since the change names a kind of record and none. */
  isUnnamed(change: Change): boolean;
}
