/** What the package `elastic-client` exports. */
export { type ClientOptions, type CreateOptions, ElasticClient } from "./client.ts";
export { ConnectionError } from "./errors/connection-error.ts";
export { ElasticError } from "./errors/elastic-error.ts";
export { type InvalidField, ProblemError } from "./errors/problem-error.ts";
export { UnexpectedResponseError } from "./errors/unexpected-response-error.ts";
export type { Call } from "./http/call.ts";
export type { RetryPolicy } from "./http/retry.ts";
export type { ListOptions } from "./lists/list-items.ts";
export type {
  Batch,
  Build,
  Delivery,
  Deployment,
  Service,
  Task,
  TaskEvent,
  TaskFilter,
  TaskProgressEvent,
  Upload,
  Webhook,
} from "./records/records.ts";
export type { AwaitOptions } from "./tasks/await-task.ts";
export type { FollowOptions } from "./tasks/follow-task.ts";
export type { GetTaskOptions } from "./tasks/get-task.ts";
export type { Proof, ProveOptions } from "./tasks/prove.ts";
export type { ReadOptions } from "./tasks/read-result.ts";
export { type FailureReason, TaskFailedError, type TaskFailure } from "./tasks/task-failure.ts";
export { type InputUrl, inputUrl, type JsonText, jsonText, type TaskInput } from "./tasks/task-input.ts";
export type { TaskProgress } from "./tasks/task-progress.ts";
export type { UploadOptions } from "./tasks/upload-input.ts";
export { signWebhook, type VerifyOptions, verifyWebhook, type WebhookHeaders } from "./webhook/verify-webhook.ts";
export type { WebhookEvent } from "./webhook/webhook-event.ts";
export { WebhookVerificationError } from "./webhook/webhook-verification-error.ts";
