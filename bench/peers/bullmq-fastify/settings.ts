/** What both processes of BullMQ behind fastify are started with. */
export interface BullmqFastifySettings {
  /** Of Redis. */
  readonly redisPort: number;
  readonly queue: string;
  /** Jobs that the worker takes at a time. */
  readonly concurrency: number;
  /** Connections over which the server adds jobs, in turns. */
  readonly connections: number;
  /** The access key that it accepts. */
  readonly key: string;
}
