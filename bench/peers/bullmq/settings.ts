/** What both processes of the BullMQ contender are started with. */
export interface BullmqSettings {
  readonly port: number;
  readonly queue: string;
  /** How the producer learns that a job is done: by BullMQ's event stream, or from the worker process. */
  readonly reportedBy: "events" | "worker";
  readonly concurrency: number;
  readonly input: object;
}
