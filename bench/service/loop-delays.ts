/** How late the coordinator's event loop ran under each load, as its metric states it. */
const METRIC = /^elastic_event_loop_delay_seconds\{quantile="(0\.5|0\.99|1)"\} (\S+)$/gm;

/** Milliseconds. */
interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** Since the scrape before: each begins a new measurement. */
export async function loopDelay(metricsUrl: string): Promise<LoopDelay> {
  return loopDelayOf(await (await fetch(metricsUrl)).text());
}

export function loopDelayOf(metrics: string): LoopDelay {
  const byQuantile = new Map([...metrics.matchAll(METRIC)].map(([, quantile, seconds]) => [quantile, Number(seconds)]));
  const of = (quantile: string): number => {
    const seconds = byQuantile.get(quantile);
    if (seconds === undefined) throw new Error(`the metrics do not state how late the event loop ran (${quantile})`);
    return 1000 * seconds;
  };
  return { p50: of("0.5"), p99: of("0.99"), longest: of("1") };
}

export class LoopDelays {
  readonly #metricsUrl: string;
  readonly #byLoad = new Map<string, LoopDelay[]>();

  constructor(metricsUrl: string) {
    this.#metricsUrl = metricsUrl;
  }

  async during<T>(load: string, measure: () => Promise<T>): Promise<T> {
    await loopDelay(this.#metricsUrl);
    const measured = await measure();
    const ofLoad = this.#byLoad.get(load) ?? [];
    this.#byLoad.set(load, ofLoad);
    ofLoad.push(await loopDelay(this.#metricsUrl));
    return measured;
  }

  /** Of each load its worst round. */
  note(): string {
    const loads = [...this.#byLoad].map(([load, rounds]) => {
      const worst = (of: (delay: LoopDelay) => number) => Math.max(...rounds.map(of)).toFixed(1);
      return `${load} ${worst(({ p50 }) => p50)}, ${worst(({ p99 }) => p99)}, ${worst(({ longest }) => longest)}`;
    });
    return `How late timers of the coordinator's event loop ran, ms: the median, the 99th percentile and the longest, of the worst round: ${loads.join("; ")}.`;
  }
}
