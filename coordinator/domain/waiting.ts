/** Why something that waits for a machine, or for its turn, does. */

export const WAITING_REASONS = [
  /** As the fleet is, nothing can ever serve: see suitable-node.ts. */
  "no_such_label",
  "no_such_gpu",
  "no_such_machine",
  /** What could serve is taken, or away. */
  "no_room",
  "start_failed",
  "starting",
  /** What serves is at work. */
  "busy",
] as const;

export interface Waiting {
  readonly reason: (typeof WAITING_REASONS)[number];
  /** For a person. */
  readonly message: string;
}
