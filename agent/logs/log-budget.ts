/** How much all logs that wait for a coordinator may take together, and take. */
export interface LogBudget {
  readonly memoryBytesMax: number;
  readonly diskBytesMax: number;
  memoryBytes: number;
  diskBytes: number;
}

/** A node whose coordinator is away for a while stores the complete logs of some hundred attempts. */
const MEMORY_BYTES_MAX = 32 * 1024 * 1024;
const DISK_BYTES_MAX = 1024 * 1024 * 1024;

export function logBudget(max: Partial<Pick<LogBudget, "memoryBytesMax" | "diskBytesMax">> = {}): LogBudget {
  return { memoryBytesMax: MEMORY_BYTES_MAX, diskBytesMax: DISK_BYTES_MAX, ...max, memoryBytes: 0, diskBytes: 0 };
}
