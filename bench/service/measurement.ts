/** A load on a contender, with the CPU time that it took. */
import { ownCpuSeconds, treeCpuSeconds } from "../measure/cpu-time.ts";
import type { LoadOrder, LoadReport } from "../measure/load.ts";
import type { Contender } from "./contender.ts";

export interface Measurement extends LoadReport {
  readonly cpu: CpuPerTask;
}

/** Milliseconds of CPU time a task, with what the processes did of their own accord meanwhile. */
export interface CpuPerTask {
  readonly all: number;
  /** Of all but the process of the load. */
  readonly withoutClient: number;
  /** Of a contender's processes by name. */
  readonly of: Readonly<Record<string, number>>;
}

type Loaded = Pick<Contender, "client" | "processes" | "measure">;

export async function measureWithCpu(contender: Loaded, order: LoadOrder): Promise<Measurement> {
  const before = cpuOf(contender);
  const report = await contender.measure(order);
  const after = cpuOf(contender);
  const perTask = (what: (cpu: Cpu) => number): number => (1000 * (what(after) - what(before))) / report.tasks;
  const names = Object.keys(contender.processes);
  return {
    ...report,
    cpu: {
      all: perTask(({ all }) => all),
      withoutClient: perTask(({ all, client }) => all - client),
      of: Object.fromEntries(names.map((name) => [name, perTask((cpu) => cpu.of[name] ?? 0)])),
    },
  };
}

/** Seconds. */
interface Cpu {
  readonly all: number;
  readonly client: number;
  readonly of: Readonly<Record<string, number>>;
}

function cpuOf({ client, processes }: Pick<Contender, "client" | "processes">): Cpu {
  const of = Object.entries(processes).map(([name, pid]) => [name, treeCpuSeconds([pid])]);
  return {
    all: treeCpuSeconds([client, ...Object.values(processes)]),
    client: ownCpuSeconds(client),
    of: Object.fromEntries(of),
  };
}
