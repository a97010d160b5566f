/** What both processes of the Temporal contender are started with. */
export interface TemporalSettings {
  /** `host:port` of the server's frontend. */
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  /** Activities, and as many workflow tasks, that the worker takes at a time. */
  readonly concurrency: number;
  /** Polls for tasks that the worker has open, of each kind. */
  readonly pollers: number;
  /** Workflows that stay in the worker between their tasks; with none, each task replays its workflow. */
  readonly cachedWorkflows: number;
  readonly input: object;
}
