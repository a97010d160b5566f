/**
 * The port to what provers write: a log for each attempt, appended to while it runs and read while it grows. Stored
 * next to the blobs, never in the store. The last moments of a log may be gone after a power cut; what is there is
 * never anything but a beginning of what the prover wrote. Implemented by file-task-logs.ts and s3/; every
 * implementation passes task-logs.contract.component.test.ts.
 */
export interface TaskRef {
  readonly teamId: string;
  readonly taskId: string;
}

export interface LogRef extends TaskRef {
  /** Counts from 1. */
  readonly attempt: number;
}

export interface LogState {
  readonly bytes: number;
  /** Nothing more comes. */
  readonly complete: boolean;
}

export interface TaskLogs {
  /**
   * Writes what of `data` is not there yet and returns the log's state after it. Repeating it changes nothing. What
   * begins beyond the end is not taken, and neither is anything once the log is complete.
   */
  append(ref: LogRef, offset: number, data: Uint8Array): Promise<LogState>;
  /** Nothing more comes. Does nothing where there is no log. */
  complete(ref: LogRef): Promise<void>;
  /** Null when there is no log. */
  state(ref: LogRef): Promise<LogState | null>;
  /** At most `bytesMax` from there on; empty at the end, and where there is no log. */
  read(ref: LogRef, from: number, bytesMax: number): Promise<Buffer>;
  /** The attempts of the task that have a log, in order. */
  attempts(task: TaskRef): Promise<readonly number[]>;
  /** Removes all logs of the task. */
  remove(task: TaskRef): Promise<void>;
  /** What all logs take. Looks at every one of them. */
  totalBytes(): Promise<number>;
}
