/**
 * Keeps this machine's GPUs: reads them all the time, knows which are well, gives each to one workload at a time and
 * takes it back once it is free again. One that is not well is given to nobody until it has passed its self-test.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { pause } from "@elastic/std/pause.ts";
import { StartFailure } from "../domain/start-failure.ts";
import type { DriverAnswer, DriverProcess } from "./driver-process.ts";
import { isTestDue, type TestTimes, tested, whyNotFree } from "./gpu-health.ts";
import { takeReading } from "./take-reading.ts";
import type { TrackedGpu } from "./tracked-gpu.ts";

interface GpuTimes {
  /** Between readings, where no event is reported meanwhile. */
  readonly readEveryMs: number;
  /** How long after its workload ended a GPU may still be in use. */
  readonly freeWithinMs: number;
  readonly test: TestTimes;
  /** Between questions to a driver that does not work. */
  readonly retry: TestTimes;
}

const GPU_TIMES: GpuTimes = {
  readEveryMs: 1_000,
  freeWithinMs: 10_000,
  test: { firstMs: 10_000, longestMs: 600_000 },
  retry: { firstMs: 1_000, longestMs: 60_000 },
};

/** A driver that failed so often in a row is not expected back in a moment. */
const FAILURES_MAX = 3;

/** That a GPU in quarantine has to pass: null when it was passed, else why not. */
export type SelfTest = (gpuUuid: string) => Promise<string | null>;

export interface GpuKeeperOptions {
  readonly driver: DriverProcess;
  readonly selfTest: SelfTest;
  /** A GPU came, or one fell ill or got well. */
  readonly onChange: (what: "gpus" | "health") => void;
  readonly onXid: (gpu: TrackedGpu, xid: number) => void;
  readonly times?: GpuTimes;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface HeldGpus {
  /** Resolves with a sentence when something happened that spoils what runs on them; never without. */
  readonly fault: Promise<string>;
  /** That sentence, as soon as the GPUs have been read once more. */
  faultByNow(): Promise<string | null>;
  /** The workload is gone: they go to the next one once they are free. */
  release(): void;
}

export interface GpuKeeper {
  /** From here on the GPUs are read all the time, and changes are published. */
  run(): void;
  list(): readonly TrackedGpu[];
  /** Why the driver does not work; null while it does, and where there is none. */
  problem(): string | null;
  /**
   * Gives the GPUs to an assignment once nobody has them; rejects with a StartFailure where one cannot be had.
   * `isUsed`: by the workload itself, which an earlier process of the agent left.
   */
  take(uuids: readonly string[], holder: string, isUsed: boolean, signal: AbortSignal): Promise<HeldGpus>;
  stop(): void;
}

/** Resolves after the first reading. */
export async function keepGpus(options: GpuKeeperOptions): Promise<GpuKeeper> {
  const keeper = new Keeper(options);
  await keeper.start();
  return keeper;
}

class Keeper implements GpuKeeper {
  readonly #options: GpuKeeperOptions;
  readonly #times: GpuTimes;
  readonly #gpus = new Map<string, TrackedGpu>();
  readonly #stopping = new AbortController();
  #waiting: (() => void)[] = [];
  #problem: string | null = null;
  #failures = 0;
  #published = "";

  constructor(options: GpuKeeperOptions) {
    this.#options = options;
    this.#times = options.times ?? GPU_TIMES;
  }

  async start(): Promise<void> {
    this.#absorb(await this.#options.driver.read(0));
    this.#published = this.#state();
  }

  run(): void {
    // A machine without a driver is no longer queried: one that gets a driver is set up again.
    if (this.#failures === 0 && this.#gpus.size === 0) this.#options.driver.close();
    else void this.#follow();
  }

  list(): readonly TrackedGpu[] {
    return [...this.#gpus.values()];
  }

  problem(): string | null {
    return this.#problem;
  }

  async take(uuids: readonly string[], holder: string, isUsed: boolean, signal: AbortSignal): Promise<HeldGpus> {
    const wanted = uuids.map((uuid) => this.#find(uuid));
    const untilMs = this.#options.clock.monotonicMs() + this.#times.freeWithinMs;
    for (;;) {
      signal.throwIfAborted();
      this.#stopping.signal.throwIfAborted();
      if (this.#problem !== null) throw gpuFault(`the GPU driver does not work: ${this.#problem}`);
      const ill = wanted.find((gpu) => gpu.whyUnhealthy() !== null);
      if (ill !== undefined) throw gpuFault(`GPU ${ill.uuid} is quarantined: ${ill.whyUnhealthy()}`);
      const isHeld = wanted.some((gpu) => gpu.holder !== null);
      const inUse = isUsed || isHeld ? undefined : wanted.find((gpu) => whyNotFree(gpu.reading) !== null);
      if (!isHeld && inUse === undefined) return this.#hold(wanted, holder);
      if (inUse !== undefined && this.#options.clock.monotonicMs() >= untilMs) this.#refuse(inUse);
      await this.#read(signal);
    }
  }

  stop(): void {
    this.#stopping.abort();
    this.#options.driver.close();
    this.#wakeAll();
  }

  #find(uuid: string): TrackedGpu {
    const gpu = this.#gpus.get(uuid);
    if (gpu === undefined) throw gpuFault(`this node has no GPU ${uuid}`);
    return gpu;
  }

  #refuse(gpu: TrackedGpu): void {
    gpu.quarantine(whyNotFree(gpu.reading) ?? "it is not free", this.#options.clock.monotonicMs(), this.#times.test);
    this.#publish();
  }

  #hold(wanted: readonly TrackedGpu[], holder: string): HeldGpus {
    let said: string | null = null;
    const fault = new Promise<string>((resolve) => {
      for (const gpu of wanted) {
        gpu.holder = holder;
        gpu.onFault = (why) => {
          said ??= `GPU ${gpu.uuid}: ${why}`;
          resolve(said);
        };
      }
    });
    return {
      fault,
      faultByNow: async () => {
        if (said === null) await this.#read(AbortSignal.timeout(this.#times.readEveryMs * 2));
        return said;
      },
      release: () => {
        const freeByMs = this.#options.clock.monotonicMs() + this.#times.freeWithinMs;
        for (const gpu of wanted) {
          if (gpu.holder !== holder) continue;
          gpu.onFault = null;
          gpu.freeByMs = freeByMs;
        }
      },
    };
  }

  async #follow(): Promise<void> {
    const { driver, clock } = this.#options;
    const { readEveryMs } = this.#times;
    const { signal } = this.#stopping;
    await pause(this.#restMs(), signal);
    while (!signal.aborted) {
      const beganMs = clock.monotonicMs();
      const answer = await driver.read(readEveryMs);
      if (signal.aborted) return;
      this.#absorb(answer);
      this.#publish();
      this.#test();
      this.#wakeAll();
      // A flood of errors, or a driver that cannot wait, makes no more readings than that.
      const spareMs = Math.min(100, readEveryMs) - (clock.monotonicMs() - beganMs);
      await pause(Math.max(this.#restMs(), spareMs), signal);
    }
  }

  /** After a driver that does not work was queried: later each time. */
  #restMs(): number {
    const { firstMs, longestMs } = this.#times.retry;
    return this.#failures === 0 ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(this.#failures - 1, 30));
  }

  #absorb(answer: DriverAnswer): void {
    const { clock, log, onXid } = this.#options;
    const nowMs = clock.monotonicMs();
    const times = this.#times.test;
    if (answer.kind === "read") {
      if (this.#problem !== null) log.info("the GPU driver works again");
      this.#problem = null;
      this.#failures = 0;
      takeReading(this.#gpus, answer.reading, { nowMs, times, onXid, log });
      for (const gpu of this.#gpus.values()) gpu.settle(nowMs, times);
      return;
    }
    const why = answer.kind === "broken" ? answer.why : "the GPU driver's library was removed";
    // A first look that finds no driver finds a machine without GPUs.
    if (answer.kind === "no-driver" && this.#gpus.size === 0 && this.#problem === null) return;
    this.#failures += 1;
    if (this.#problem === null) log.error({ why }, "the GPU driver does not work: no GPU of this node is given out");
    this.#problem = why;
    // What runs may well run on, and what is idle is not moved for a driver that only stumbled.
    if (this.#failures < FAILURES_MAX) return;
    for (const gpu of this.#gpus.values()) {
      if (gpu.whyUnhealthy() === null) gpu.quarantine(`the driver does not work: ${why}`, nowMs, times);
    }
  }

  /** Those in quarantine that nobody has, once they are free. */
  #test(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const gpu of this.#gpus.values()) {
      if (gpu.testing || !gpu.present || gpu.holder !== null || this.#problem !== null) continue;
      if (!isTestDue(gpu.health, nowMs)) continue;
      const inUse = whyNotFree(gpu.reading);
      if (inUse === null) void this.#testOne(gpu);
      else gpu.quarantine(inUse, nowMs, this.#times.test);
    }
  }

  async #testOne(gpu: TrackedGpu): Promise<void> {
    const { selfTest, clock, log } = this.#options;
    gpu.testing = true;
    const before = gpu.health;
    const failure = await selfTest(gpu.uuid).catch((error: unknown) => String(error));
    gpu.testing = false;
    // What happened during the test counts more than the test.
    if (gpu.health !== before || !gpu.present) return;
    gpu.health = tested(gpu.health, failure, clock.monotonicMs(), this.#times.test);
    if (failure === null) log.info({ gpu: gpu.uuid }, "a GPU passed its self-test and is given out again");
    else log.warn({ gpu: gpu.uuid, why: failure }, "a GPU failed its self-test and stays quarantined");
    this.#publish();
    this.#wakeAll();
  }

  /** Says what is new since it was last said. */
  #publish(): void {
    const before = this.#published;
    const now = this.#state();
    if (now === before) return;
    this.#published = now;
    const [gpus] = before.split("\n", 1);
    this.#options.onChange(now.startsWith(`${gpus}\n`) ? "health" : "gpus");
  }

  #state(): string {
    const all = this.list();
    return `${all.map(({ uuid }) => uuid).join()}\n${all.map((gpu) => gpu.whyUnhealthy() ?? "").join("\n")}`;
  }

  /** Resolves after the next reading, or with the signal. */
  #read(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#stopping.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  #wakeAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

function gpuFault(message: string): StartFailure {
  return new StartFailure("gpu_fault", message);
}
