/** Profiles of loads as tables of text. */
import type { Layer } from "./layers.ts";
import type { Usage } from "./process-usage.ts";
import type { StageStep } from "./stage-times.ts";

export interface LoadProfile {
  readonly name: string;
  readonly tasks: number;
  readonly tasksPerSecond: number;
  readonly startP95Ms: number;
  /** How late timers of the coordinator's event loop ran, in milliseconds. */
  readonly loopDelay: { readonly p50: number; readonly p99: number; readonly longest: number };
  readonly usage: Readonly<Record<string, Usage>>;
  /** Microseconds of the main thread, of each process that was profiled. */
  readonly layers: Readonly<Record<string, ReadonlyMap<Layer, number>>>;
  readonly steps: readonly StageStep[];
}

export function profileText(profile: LoadProfile): string {
  const { name, tasks, tasksPerSecond, startP95Ms } = profile;
  const head = `${name}: ${Math.round(tasksPerSecond)} tasks/s, create to start p95 ${startP95Ms.toFixed(2)} ms`;
  return [head, delayText(profile), usageText(profile), ...layerTexts(profile, tasks), stepsText(profile)].join("\n\n");
}

function delayText({ loopDelay: { p50, p99, longest } }: LoadProfile): string {
  const [median, late, latest] = [p50, p99, longest].map((ms) => ms.toFixed(1));
  return `coordinator's event loop late by ${median} ms (p50), ${late} (p99), ${latest} at most`;
}

function usageText({ usage, tasks }: LoadProfile): string {
  const lines = Object.entries(usage).map(([process, { mainNs, collectorNs, otherNs, calls, bytes }]) => {
    const us = (ns: number) => (ns / 1000 / tasks).toFixed(0).padStart(9);
    const each = (count: number) => (count / tasks).toFixed(1).padStart(9);
    const all = mainNs + collectorNs + otherNs;
    return `${process.padEnd(14)}${us(all)}${us(mainNs)}${us(collectorNs)}${us(otherNs)}${each(calls)}${each(bytes / 1024)}`;
  });
  const titles = ["CPU us", "main", "V8", "others", "calls", "KiB"].map((title) => title.padStart(9));
  return [`${"a task".padEnd(14)}${titles.join("")}`, ...lines].join("\n");
}

function layerTexts({ layers }: LoadProfile, tasks: number): readonly string[] {
  return Object.entries(layers).map(([process, times]) => {
    const sorted = [...times].filter(([layer]) => layer !== "idle").toSorted(([, a], [, b]) => b - a);
    const lines = sorted.map(([layer, us]) => `  ${layer.padEnd(20)}${(us / tasks).toFixed(1).padStart(8)}`);
    return [`${process}'s main thread by layer, us a task`, ...lines].join("\n");
  });
}

function stepsText({ steps }: LoadProfile): string {
  const lines = steps.map(({ from, to, p50Us, p95Us }) => {
    const ms = (us: number) => (us / 1000).toFixed(2).padStart(8);
    return `  ${`${from} to ${to}`.padEnd(24)}${ms(p50Us)}${ms(p95Us)}`;
  });
  return [`${"from stage to stage, ms".padEnd(26)}${"p50".padStart(8)}${"p95".padStart(8)}`, ...lines].join("\n");
}
