/** What zkaccel-gpu-bench prints, and what on-gpu.sh records of its checks. */
import type { MeasuredRow } from "../accel/report.ts";

/** Of the machine with the GPU, which need not be this one. */
interface MeasuredMachine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_bytes: number;
}

export interface Rate {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
}

export interface Report {
  /** The GPU's name. */
  readonly gpu: string;
  readonly machine: MeasuredMachine;
  readonly rates: readonly Rate[];
  readonly rows: readonly MeasuredRow[];
  /** What was to be measured and was not, and why. */
  readonly leftOut: readonly string[];
}

interface Line {
  readonly library?: { readonly name: string };
  readonly machine?: MeasuredMachine;
  readonly rate?: Rate;
  readonly row?: MeasuredRow;
  readonly left_out?: string;
}

/** Of its lines, an object with one key each. Throws where there is no GPU's name or no machine among them. */
export function parseReport(text: string): Report {
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
  const present = <T>(part: (line: Line) => T | undefined): readonly T[] =>
    lines.map(part).filter((value) => value !== undefined);
  const [library] = present(({ library }) => library);
  const [machine] = present(({ machine }) => machine);
  if (library === undefined || machine === undefined) throw new Error("The report does not name its machine");
  return {
    gpu: library.name,
    machine,
    rates: present(({ rate }) => rate),
    rows: present(({ row }) => row),
    leftOut: present(({ left_out }) => left_out),
  };
}
