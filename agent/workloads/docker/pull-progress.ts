/** Adds up an engine's account of a pull: how many bytes of the layers that are fetched have come, and of how many. */

/** One event of a pull. An engine returns 200 first and reports a failure here. */
export interface PullEvent {
  readonly id?: string;
  readonly status?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
  readonly error?: string;
  readonly errorDetail?: { readonly message?: string };
}

interface Layer {
  done: number;
  total: number;
}

/** Once a layer is here, whatever is reported of it is about its unpacking. */
const ARRIVED = new Set(["Verifying Checksum", "Download complete", "Extracting", "Pull complete"]);

export class PullProgress {
  readonly #layers = new Map<string, Layer>();

  /** Whether it moved. */
  take({ id, status, progressDetail }: PullEvent): boolean {
    if (id === undefined || status === undefined) return false;
    const layer = this.#layers.get(id);
    if (ARRIVED.has(status)) {
      if (layer === undefined || layer.done === layer.total) return false;
      layer.done = layer.total;
      return true;
    }
    if (status !== "Downloading") return false;
    const { current = 0, total = 0 } = progressDetail ?? {};
    // Engines may learn the size of a layer only with its end.
    this.#layers.set(id, { done: current, total: Math.max(total, current) });
    return true;
  }

  get doneBytes(): number {
    return sum([...this.#layers.values()].map(({ done }) => done));
  }

  get totalBytes(): number {
    return sum([...this.#layers.values()].map(({ total }) => total));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
