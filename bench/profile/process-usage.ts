/** What the processes below one have used so far, as the kernel counts it. */
import { readdirSync, readFileSync } from "node:fs";

export interface Usage {
  /** Nanoseconds of CPU of the first thread, where JavaScript runs. */
  readonly mainNs: number;
  /** Of V8's own threads: collection and compilation. */
  readonly collectorNs: number;
  readonly otherNs: number;
  /** System calls that read and write, of files and sockets alike, and their bytes. */
  readonly calls: number;
  readonly bytes: number;
}

const NOTHING: Usage = { mainNs: 0, collectorNs: 0, otherNs: 0, calls: 0, bytes: 0 };

export function usageOf(pids: readonly number[]): Usage {
  return pids.map(ofProcess).reduce(
    combine((a, b) => a + b),
    NOTHING,
  );
}

export function used(before: Usage, after: Usage): Usage {
  return combine((a, b) => b - a)(before, after);
}

function combine(join: (a: number, b: number) => number): (a: Usage, b: Usage) => Usage {
  return (a, b) => ({
    mainNs: join(a.mainNs, b.mainNs),
    collectorNs: join(a.collectorNs, b.collectorNs),
    otherNs: join(a.otherNs, b.otherNs),
    calls: join(a.calls, b.calls),
    bytes: join(a.bytes, b.bytes),
  });
}

function ofProcess(pid: number): Usage {
  const threads = { mainNs: 0, collectorNs: 0, otherNs: 0 };
  for (const id of entries(`/proc/${pid}/task`)) {
    const ns = Number(read(`/proc/${pid}/task/${id}/schedstat`).split(" ")[0] ?? 0);
    if (Number(id) === pid) threads.mainNs += ns;
    else if (read(`/proc/${pid}/task/${id}/comm`).startsWith("V8Worker")) threads.collectorNs += ns;
    else threads.otherNs += ns;
  }
  const io = read(`/proc/${pid}/io`);
  const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(io)?.[1] ?? 0);
  return { ...threads, calls: count("syscr") + count("syscw"), bytes: count("rchar") + count("wchar") };
}

/** Empty where the process has ended meanwhile. */
function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
