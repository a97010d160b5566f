/** What is posted to a webhook. */
import type { Build, Deployment, Task } from "../records/records.ts";

interface EventOf<Type extends string, Data> {
  /** The same with every attempt: skip what was seen before. */
  readonly id: string;
  readonly type: Type;
  /** When it happened. */
  readonly timestamp: string;
  readonly data: Data;
}

export type WebhookEvent =
  | EventOf<"task.succeeded" | "task.failed" | "task.cancelled" | "task.timed_out" | "task.expired", Task>
  | EventOf<"deployment.ready", Deployment>
  /** A build where none came from it. */
  | EventOf<"deployment.failed", Deployment | Build>
  | EventOf<"webhook.test", { readonly webhook_id: string; readonly service_id: string }>;
