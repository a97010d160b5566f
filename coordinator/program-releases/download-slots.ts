/**
 * How many downloads there are at once, and whose. One address has a share of them. Where there is no room for a further one, a download
 * that is slow gives way: whoever reads next to nothing holds nobody up, and an honest machine that is interrupted so repeats it.
 */
import type { Clock } from "@elastic/std/clock.ts";

/** Half of a small coordinator's bandwidth is for what it is there for. */
export const DOWNLOADS_MAX = 32;
/** Machines behind one address are installed at once. */
export const DOWNLOADS_OF_SOURCE_MAX = 24;
/** What is read into buffers on the way counts too, so that a rate is of some seconds. */
const WINDOW_MS = 5_000;
/** Of bytes a second. An archive takes two minutes so. */
const SLOW = 512 * 1024;

interface Download {
  readonly source: string;
  readonly drop: () => void;
  /** Since the window before the current one began. */
  bytesBefore: number;
  beganBefore: number;
  bytes: number;
  began: number;
}

export interface DownloadSlot {
  moved(bytes: number): void;
  release(): void;
}

export class DownloadSlots {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #downloads = new Set<Download>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Null where there is no room. `drop` ends the download later, where it is slow and another needs its place. */
  claim(source: string, drop: () => void): DownloadSlot | null {
    const now = this.#clock.monotonicMs();
    const own = [...this.#downloads].filter((one) => one.source === source);
    if (own.length >= DOWNLOADS_OF_SOURCE_MAX && !this.#dropSlowest(own, now)) return null;
    if (this.#downloads.size >= DOWNLOADS_MAX && !this.#dropSlowest([...this.#downloads], now)) return null;
    const download: Download = { source, drop, bytesBefore: 0, beganBefore: now, bytes: 0, began: now };
    this.#downloads.add(download);
    return {
      moved: (bytes) => {
        turnWindow(download, this.#clock.monotonicMs());
        download.bytes += bytes;
      },
      release: () => void this.#downloads.delete(download),
    };
  }

  #dropSlowest(among: readonly Download[], now: number): boolean {
    const slow = among.filter((one) => now - one.beganBefore >= WINDOW_MS && rateOf(one, now) < SLOW);
    const slowest = slow.toSorted((a, b) => rateOf(a, now) - rateOf(b, now))[0];
    if (slowest === undefined) return false;
    this.#downloads.delete(slowest);
    slowest.drop();
    return true;
  }
}

function turnWindow(download: Download, now: number): void {
  if (now - download.began < WINDOW_MS) return;
  download.bytesBefore = download.bytes;
  download.beganBefore = download.began;
  download.bytes = 0;
  download.began = now;
}

/** Bytes a second, of this window and the one before. */
function rateOf({ bytesBefore, beganBefore, bytes, began }: Download, now: number): number {
  const isStale = now - began >= 2 * WINDOW_MS;
  const [moved, since] = isStale ? [bytes, began] : [bytesBefore + bytes, beganBefore];
  return (1000 * moved) / Math.max(1, now - since);
}
