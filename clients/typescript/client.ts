/** The service, as a program uses it. */
import { ProblemError } from "./errors/problem-error.ts";
import { type Call, call } from "./http/call.ts";
import { type Connection, type ConnectionOptions, openConnection } from "./http/connection.ts";
import { type ListOptions, listItems } from "./lists/list-items.ts";
import type {
  Batch,
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
import { type AwaitOptions, awaitTask } from "./tasks/await-task.ts";
import { createBatch } from "./tasks/create-batch.ts";
import { type FollowOptions, followTask } from "./tasks/follow-task.ts";
import { type GetTaskOptions, getTask } from "./tasks/get-task.ts";
import { cancelTask, type Proof, type ProveOptions, prove, startTask } from "./tasks/prove.ts";
import { type ReadOptions, readResult } from "./tasks/read-result.ts";
import { inlineInput, type TaskInput } from "./tasks/task-input.ts";
import { type UploadOptions, uploadInput } from "./tasks/upload-input.ts";

export type ClientOptions = Omit<ConnectionOptions, "key"> & { readonly key: string };

export type CreateOptions = Omit<ProveOptions, "onProgress" | "cancelOnAbort">;

const ID = /^[0-9a-f]{32}$/;

/**
 * Every method rejects with an ElasticError, or with the reason of a signal that was aborted. What is safe to repeat is
 * repeated while the service is unavailable for a moment. A service is named by its id or its name.
 */
export class ElasticClient {
  readonly #connection: Connection;
  readonly #idsByName = new Map<string, string>();

  constructor(options: ClientOptions) {
    this.#connection = openConnection(options);
  }

  /** The proof of an input. Rejects with a TaskFailedError where the task ends without a result. */
  async prove(service: string, input: TaskInput, options: ProveOptions = {}): Promise<Proof> {
    return await this.#inService(service, options.signal, (id) => prove(this.#connection, id, input, options));
  }

  /** Returns once the task is durable. */
  async createTask(service: string, input: TaskInput, options: CreateOptions = {}): Promise<Task> {
    return await this.#inService(service, options.signal, (id) => startTask(this.#connection, id, input, options));
  }

  /**
   * Creates a task of each input, at most 1,000 of 64 MiB together: all of them or none. `task_ids` has the order of the
   * inputs. Neither URLs nor blobs and streams can be among them.
   */
  async createBatch(service: string, inputs: readonly TaskInput[], options: CreateOptions = {}): Promise<Batch> {
    const { signal, priority, idempotencyKey = crypto.randomUUID() } = options;
    const batch = { inputs: inputs.map(inlineInput), priority, idempotencyKey, signal };
    return await this.#inService(service, signal, (id) => createBatch(this.#connection, id, batch));
  }

  async getTask(taskId: string, options: GetTaskOptions = {}): Promise<Task> {
    return await getTask(this.#connection, taskId, options);
  }

  /** The record as it has ended, with or without a result. */
  async awaitTask(taskId: string, options: AwaitOptions = {}): Promise<Task> {
    return await awaitTask(this.#connection, taskId, options);
  }

  /** What happens to a task, from its creation to its end. */
  followTask(taskId: string, options: FollowOptions = {}): AsyncGenerator<TaskEvent | TaskProgressEvent> {
    return followTask(this.#connection, taskId, options);
  }

  /** Of a task that has ended this changes nothing. */
  async cancelTask(taskId: string): Promise<Task> {
    return await cancelTask(this.#connection, taskId);
  }

  /** The result of a task that succeeded, from its record, or fetched where that leaves it out. */
  async readResult(task: Pick<Task, "task_id" | "result">, options: ReadOptions = {}): Promise<string> {
    return await readResult(this.#connection, task, options);
  }

  /** Sends an input ahead: `{ input_upload_id: upload_id }` names it in a request. */
  async upload(body: Uint8Array | Blob | ReadableStream<Uint8Array>, options: UploadOptions = {}): Promise<Upload> {
    return await uploadInput(this.#connection, body, options);
  }

  /** Newest first. Inputs and results are in the items up to 4 KiB. */
  tasks(filter: TaskFilter = {}, options: ListOptions = {}): AsyncGenerator<Task> {
    return listItems(this.#connection, "/v1/tasks", { ...filter }, options);
  }

  services(options: ListOptions = {}): AsyncGenerator<Service> {
    return listItems(this.#connection, "/v1/services", {}, options);
  }

  deployments(serviceId: string, options: ListOptions = {}): AsyncGenerator<Deployment> {
    return listItems(this.#connection, `/v1/services/${encodeURIComponent(serviceId)}/deployments`, {}, options);
  }

  webhooks(serviceId: string, options: ListOptions = {}): AsyncGenerator<Webhook> {
    return listItems(this.#connection, `/v1/services/${encodeURIComponent(serviceId)}/webhooks`, {}, options);
  }

  deliveries(webhookId: string, options: ListOptions = {}): AsyncGenerator<Delivery> {
    return listItems(this.#connection, `/v1/webhooks/${encodeURIComponent(webhookId)}/deliveries`, {}, options);
  }

  /** Any other endpoint of the OpenAPI document: the parsed body of its response, null where it has none. */
  async request(request: Call): Promise<unknown> {
    return await call(this.#connection, request);
  }

  async #inService<T>(service: string, signal: AbortSignal | undefined, act: (id: string) => Promise<T>): Promise<T> {
    if (ID.test(service)) return await act(service);
    const id = this.#idsByName.get(service) ?? (await this.#findService(service, signal));
    this.#idsByName.set(service, id);
    try {
      return await act(id);
    } catch (error) {
      // Another service may have the name by now.
      if (error instanceof ProblemError && ["not_found", "service_deleted"].includes(error.code)) {
        this.#idsByName.delete(service);
      }
      throw error;
    }
  }

  async #findService(name: string, signal: AbortSignal | undefined): Promise<string> {
    for await (const service of this.services({ signal })) if (service.service_name === name) return service.service_id;
    const body = { code: "not_found", detail: `There is no service named ${JSON.stringify(name)} in the team.` };
    throw new ProblemError({ status: 404, headers: new Headers(), body });
  }
}
