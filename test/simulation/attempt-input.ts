/** The input of an attempt: its bytes say what the simulated prover does with them. */
import type { TaskInput } from "@elastic/agent/domain/driver.ts";
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";

export interface Behaviour {
  readonly runMs: number;
  readonly end: "succeed" | "refuse" | "crash" | "never";
  /** What a success returns: JSON text. */
  readonly output: string;
}

export class AttemptInput implements TaskInput {
  readonly ref: AttemptRef;
  readonly inline: Buffer;

  constructor(ref: AttemptRef, inline: Buffer) {
    this.ref = ref;
    this.inline = inline;
  }

  get bytes(): number {
    return this.inline.length;
  }

  async *open(): AsyncIterable<Buffer> {
    yield this.inline;
  }

  behaviour(): Behaviour {
    return JSON.parse(this.inline.toString("utf8")) as Behaviour;
  }
}
