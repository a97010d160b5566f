/**
 * What becomes an attempt's log of what its prover writes: the beginning, up to a limit, and in lines of the agent's
 * own what a reader must know of it.
 */
import type { LogTaker } from "../domain/prover-log.ts";

const NEWLINE = 0x0a;
const SHARED =
  "… other tasks ran in this prover at the same time: what follows may be theirs, and they got what is this task's\n";

export interface AttemptLogOptions {
  readonly bytesMax: number;
  readonly append: (data: Buffer) => void;
  /** Whether all logs together leave room for so much more. */
  readonly hasRoom: (bytes: number) => boolean;
  readonly onDropped: (bytes: number) => void;
  readonly onOver: () => void;
}

export class AttemptLog implements LogTaker {
  readonly #options: AttemptLogOptions;
  #bytes = 0;
  #isCut = false;
  /** Reported with the bytes that follow: where none do, none could be another task's, and the log stays empty. */
  #sharing: "no" | "unreported" | "reported" = "no";
  #atLineStart = true;

  constructor(options: AttemptLogOptions) {
    this.#options = options;
  }

  onBytes(chunk: Buffer): void {
    if (this.#isCut) {
      this.#options.onDropped(chunk.length);
      return;
    }
    const { bytesMax, hasRoom } = this.#options;
    const left = bytesMax - this.#bytes;
    const accepted = chunk.length <= left ? chunk : chunk.subarray(0, left);
    if (!hasRoom(accepted.length)) this.#cut(chunk, 0, "the node had no room for more of it");
    else if (accepted.length < chunk.length) this.#cut(chunk, accepted.length, "the rest of it is dropped");
    else this.#take(chunk);
  }

  onShared(): void {
    if (this.#sharing === "no") this.#sharing = "unreported";
  }

  onOver(): void {
    this.#options.onOver();
  }

  /** The end of what the prover wrote, as it was reported with the failure of an attempt that saw nothing of it. */
  takeTail(text: string): void {
    if (this.#bytes === 0 && text !== "") this.onBytes(Buffer.from(text));
  }

  #take(data: Buffer): void {
    if (data.length === 0) return;
    if (this.#sharing === "unreported") {
      this.#sharing = "reported";
      this.#say(SHARED);
    }
    this.#bytes += data.length;
    this.#atLineStart = data.at(-1) === NEWLINE;
    this.#options.append(data);
  }

  #cut(chunk: Buffer, accepted: number, why: string): void {
    this.#take(chunk.subarray(0, accepted));
    this.#isCut = true;
    this.#options.onDropped(chunk.length - accepted);
    this.#say(`… log cut at ${this.#bytes} bytes: ${why}\n`);
  }

  /** On a separate line. */
  #say(line: string): void {
    this.#options.append(Buffer.from(this.#atLineStart ? line : `\n${line}`));
    this.#atLineStart = true;
  }
}
