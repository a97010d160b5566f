/** Bytes of teams that are on their way into blobs: they count while they come, as if they were there. */

/** How much of one body may come between two looks. */
const LOOK_EVERY_BYTES = 1024 * 1024;

/** Throws where a team that has so many bytes on their way may have no more. */
export type RefuseBeyond = (inFlightBytes: number) => void;

export class InFlightBytes {
  readonly #byTeam = new Map<string, number>();

  /** Runs what keeps the source; its bytes are on their way until that has ended. */
  async run<T>(
    teamId: string,
    source: AsyncIterable<Buffer>,
    refuseBeyond: RefuseBeyond,
    keep: (source: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T> {
    const come = { bytes: 0 };
    const counted = this.#counted(teamId, source, refuseBeyond, come);
    try {
      refuseBeyond(this.#of(teamId));
      return await keep(counted);
    } finally {
      this.#add(teamId, -come.bytes);
    }
  }

  async *#counted(
    teamId: string,
    source: AsyncIterable<Buffer>,
    refuseBeyond: RefuseBeyond,
    come: { bytes: number },
  ): AsyncGenerator<Buffer> {
    let lookAt = 0;
    for await (const chunk of source) {
      come.bytes += chunk.length;
      this.#add(teamId, chunk.length);
      if (come.bytes >= lookAt) {
        refuseBeyond(this.#of(teamId));
        lookAt = come.bytes + LOOK_EVERY_BYTES;
      }
      yield chunk;
    }
  }

  #of(teamId: string): number {
    return this.#byTeam.get(teamId) ?? 0;
  }

  #add(teamId: string, bytes: number): void {
    const now = this.#of(teamId) + bytes;
    if (now > 0) this.#byTeam.set(teamId, now);
    else this.#byTeam.delete(teamId);
  }
}
