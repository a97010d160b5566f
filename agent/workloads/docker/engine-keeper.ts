/**
 * Keeps in touch with this machine's container engine: finds one that comes up late, notices one that goes and one that
 * is back, and observes which containers it is requested to end, by an operator or because it is stopped itself.
 */
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import { type Loop, startLoop } from "@elastic/std/loop.ts";
import { pause } from "@elastic/std/pause.ts";
import type { EngineSetting } from "../../domain/engine-setting.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import { type Engine, findEngine, probeEngine } from "./engine.ts";
import { watchEndRequests } from "./engine-events.ts";

interface EngineTimes {
  /** Between looks for an engine that does not respond. */
  readonly lookEveryMs: number;
  /** So long is waited for one that is started again before coordinators are notified that there is none. */
  readonly awayMs: number;
}

const ENGINE_TIMES: EngineTimes = { lookEveryMs: 1_000, awayMs: 15_000 };

export interface EngineKeeperOptions {
  readonly setting: EngineSetting;
  /** Coordinators know another engine than there is, or none. */
  readonly onChange: () => void;
  /** One responds that did not before. */
  readonly onAvailable: () => void;
  readonly nodeId: string;
  readonly times?: EngineTimes;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface EngineKeeper {
  /** From here on changes are published. */
  run(): void;
  /** Null once none has responded for a while. */
  engine(): Engine | null;
  /** One that responds now; waits for one that went a moment ago, and rejects with a StartFailure where none comes. */
  whenAvailable(signal: AbortSignal): Promise<Engine>;
  /** Probes it now. */
  stillResponds(): Promise<boolean>;
  /** Whether anybody requested the end of that container, the agent included. */
  wasEndRequested(containerId: string): boolean;
  stop(): void;
}

/** Of containers whose end was requested; by then their ends were read long ago. */
const ENDS_MAX = 1_000;

/** Resolves after the first look. */
export async function keepEngine(options: EngineKeeperOptions): Promise<EngineKeeper> {
  const keeper = new Keeper(options);
  await keeper.look();
  return keeper;
}

class Keeper implements EngineKeeper {
  readonly #options: EngineKeeperOptions;
  readonly #times: EngineTimes;
  readonly #stopping = new AbortController();
  readonly #endRequested = new Set<string>();
  #last: Engine | null = null;
  #isAvailable = false;
  #silentSinceMs: number | null = null;
  #isGone = true;
  #runs = false;
  #watching: Loop | null = null;
  #waiting: (() => void)[] = [];

  constructor(options: EngineKeeperOptions) {
    this.#options = options;
    this.#times = options.times ?? ENGINE_TIMES;
  }

  run(): void {
    this.#runs = true;
    if (this.#options.setting.kind === "none") return;
    void this.#listen();
    this.#watch();
  }

  engine(): Engine | null {
    return this.#isGone ? null : this.#last;
  }

  async whenAvailable(signal: AbortSignal): Promise<Engine> {
    for (;;) {
      signal.throwIfAborted();
      this.#stopping.signal.throwIfAborted();
      if (this.#isAvailable && this.#last !== null) return this.#last;
      if (this.#last === null) throw new StartFailure("image_unavailable", "this node has no container engine");
      if (this.#isGone) throw new StartFailure("node_lost", "the container engine of this node does not respond");
      await this.#news(signal);
    }
  }

  async stillResponds(): Promise<boolean> {
    const before = this.#last;
    if (before === null) return false;
    const isThere = await probeEngine(before.socketPath).then(
      () => true,
      () => false,
    );
    if (!isThere) this.#miss();
    return isThere;
  }

  wasEndRequested(containerId: string): boolean {
    return this.#endRequested.has(containerId);
  }

  stop(): void {
    this.#stopping.abort(new Error("the agent stops"));
    void this.#watching?.stop();
    this.#wakeAll();
  }

  async look(): Promise<void> {
    const known = this.#last;
    const same = known === null ? null : await probeEngine(known.socketPath).catch(() => null);
    const found = same ?? (await findEngine(this.#options.setting));
    if (this.#stopping.signal.aborted) return;
    if (found === null) this.#miss();
    else this.#meet(found);
  }

  /** While one responds, its events are received; the end of their stream is the first sign that it stops. */
  async #listen(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const engine = this.#isAvailable ? this.#last : null;
      if (engine !== null) {
        await watchEndRequests(engine.docker, this.#options.nodeId, (id) => this.#noteEnd(id), signal).catch(
          () => undefined,
        );
        if (!signal.aborted) await this.look();
      }
      await pause(this.#times.lookEveryMs, signal);
    }
  }

  #watch(): void {
    this.#watching = startLoop({
      everyMs: this.#times.lookEveryMs,
      isActive: () => !this.#isAvailable,
      turn: () => this.look(),
      onOutcome: (outcome) => {
        if (outcome.kind === "failed")
          this.#options.log.warn({ err: outcome.error }, "no container engine could be found");
      },
    });
  }

  #meet(found: Engine): void {
    const { log, onChange, onAvailable } = this.#options;
    const before = this.engine();
    const isSame = this.#last?.socketPath === found.socketPath && this.#last.name === found.name;
    // What is open on it, and what its driver knows of it, stays.
    this.#last = isSame && this.#last !== null ? { ...found, docker: this.#last.docker } : found;
    const wasAvailable = this.#isAvailable;
    this.#isAvailable = true;
    this.#silentSinceMs = null;
    this.#isGone = false;
    const { name, version, socketPath } = found;
    if (!wasAvailable) log.info({ engine: name, version, socket: socketPath }, "container engine responds");
    if (this.#runs && (before?.name !== name || before.version !== version)) onChange();
    if (this.#runs && !wasAvailable) onAvailable();
    this.#wakeAll();
  }

  #miss(): void {
    const { clock, log, onChange } = this.#options;
    const nowMs = clock.monotonicMs();
    if (this.#isAvailable) log.warn("the container engine does not respond");
    this.#isAvailable = false;
    this.#silentSinceMs ??= nowMs;
    if (this.#isGone || nowMs - this.#silentSinceMs < this.#times.awayMs) return;
    this.#isGone = true;
    log.error("the container engine stopped: containers start here again when it is back");
    onChange();
    this.#wakeAll();
  }

  #noteEnd(containerId: string): void {
    this.#endRequested.add(containerId);
    for (const oldest of this.#endRequested) {
      if (this.#endRequested.size <= ENDS_MAX) break;
      this.#endRequested.delete(oldest);
    }
  }

  /** Resolves when there is something new to know, or with the signal. */
  #news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
