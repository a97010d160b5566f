/**
 * A file to which the agent appends when each workload and each attempt began and ended on this machine, a JSON line each,
 * `execution` in docs/history-checker.md. A line is in the file before what follows it, so that it outlives a kill of the
 * agent; what began and has no end was ended with the agent, whose next process writes `agent-started`.
 */
import { closeSync, fstatSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Logger } from "@elastic/std/log.ts";

export interface ExecutionLedger {
  /** Writes that it began. Returns what writes that it has ended, which is called once. */
  begin(execution: Execution): () => void;
  /** Nothing is written any more. */
  close(): void;
}

interface Execution {
  /** Its task, or the assignment of a workload. */
  readonly holder: string;
  /** The workload in which an attempt runs. */
  readonly workload?: string;
  readonly attempt?: AttemptRef;
  /** What nothing else on the node has meanwhile. */
  readonly uses: readonly string[];
}

export interface LedgerOptions {
  readonly file: string;
  readonly nodeId: string;
  /** Of this process. */
  readonly sessionId: string;
  readonly log: Pick<Logger, "warn">;
  readonly bytesMax?: number;
}

/** Then the file becomes `<file>.1`, in the place of the one before: about a million executions in all. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;
/** Of both files. */
export const LEDGER_BYTES_MAX = 2 * FILE_BYTES_MAX;
const LINE_END = 10;

/** Throws where the file cannot be opened. */
export function openExecutionLedger(options: LedgerOptions): ExecutionLedger {
  const { nodeId: node, sessionId, log } = options;
  const file = appendedFile(options.file, options.bytesMax ?? FILE_BYTES_MAX, log);
  let begun = 0;
  const write = (line: object): void => file.append({ ...line, at: machineMs(), time: new Date().toISOString() });
  write({ kind: "marker", name: "agent-started", node });
  return {
    begin: ({ holder, workload, attempt, uses }) => {
      begun += 1;
      const of = { kind: "execution", run: `${sessionId}-${begun}`, holder, node, ...attemptOf(attempt) };
      write({ ...of, type: "start", uses, ...(workload === undefined ? {} : { workload }) });
      return () => write({ ...of, type: "finish" });
    },
    close: file.close,
  };
}

function attemptOf(attempt: AttemptRef | undefined): object {
  if (attempt?.token === undefined) return {};
  const { storeEpoch, revision } = attempt.token;
  return { attempt: attempt.number, token: Number(revision), store_epoch: Number(storeEpoch) };
}

/** One clock for all processes of the machine, which never steps. */
function machineMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

function appendedFile(
  path: string,
  bytesMax: number,
  log: Pick<Logger, "warn">,
): { append(line: object): void; close(): void } {
  let file: number | null = openSync(path, "a+", 0o600);
  let bytes = fstatSync(file).size;
  /** Where the machine crashed or its disk was full, the last line may be a part of one. */
  let isCut = bytes > 0 && lastByte(file, bytes) !== LINE_END;
  let isBroken = false;
  let isClosed = false;
  const release = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const rotate = (): void => {
    renameSync(path, `${path}.1`);
    release();
    bytes = 0;
    isCut = false;
  };
  return {
    append(line) {
      if (isClosed) return;
      const text = Buffer.from(`${isCut ? "\n" : ""}${JSON.stringify(line)}\n`);
      try {
        if (bytes > 0 && bytes + text.length > bytesMax) rotate();
        file ??= openSync(path, "a", 0o600);
        const written = writeSync(file, text);
        bytes += written;
        isCut = written < text.length;
      } catch (error) {
        // Work does not stop for it.
        if (!isBroken)
          log.warn({ err: error, file: path }, "executions are missing from the ledger: it cannot be written");
        isBroken = true;
      }
    },
    close() {
      isClosed = true;
      release();
    },
  };
}

function lastByte(file: number, bytes: number): number | undefined {
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, bytes - 1);
  return last[0];
}
