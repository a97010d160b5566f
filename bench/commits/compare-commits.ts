/** The service of the working tree and that of another commit, in turns in one run. */
import type { Benchmark, Effort, Outcome } from "../benchmark/benchmark.ts";
import { inTurns, type Turn } from "../measure/in-turns.ts";
import type { LoadOrder } from "../measure/load.ts";
import { IN_FLIGHT } from "../service/contender.ts";
import { RATES, warmUp } from "../service/loads.ts";
import { type Measurement, measureWithCpu } from "../service/measurement.ts";
import { checkOut } from "./checkout.ts";
import { rowsOf, type Sides } from "./rows.ts";
import { PRESENT, startSide } from "./sides.ts";

const NOTES = [
  "Both clusters run at the same time, each with its own etcd, coordinator and agent; the load is on one of them at a time, from the client of the working tree.",
  `Saturated: ${IN_FLIGHT} callers, each with the next task as soon as its last is done.`,
  "CPU a task: user and system time between the first submission and the last end, for each task; idle work counts. All processes are etcd, coordinator and agent with what they started, without the client.",
  "A ratio above 1 means that the working tree is better.",
];

/** Of the benchmark `service`. */
export const baseline: NonNullable<Benchmark["baseline"]> = { needs: ["etcd", "demo-prover"], run };

async function run(commit: string, effort: Effort, log: (text: string) => void): Promise<Outcome> {
  const checkout = checkOut(commit, log);
  await using running = new AsyncDisposableStack();
  log("Starting both clusters");
  const present = await startSide("present", "working tree", PRESENT);
  running.defer(() => present.stop());
  const baseline = await startSide("baseline", commit, checkout);
  running.defer(() => baseline.stop());
  const { seconds } = effort;
  const orders = new Map<string, LoadOrder>([
    ["saturated", { kind: "saturate", what: "task", inFlight: IN_FLIGHT, seconds }],
    ...RATES.map((perSecond) => [nameOf(perSecond), { kind: "rate", what: "task", perSecond, seconds }] as const),
  ]);
  const sides = [present, baseline];
  for (const side of sides) await warmUp(side);
  const turns = [...orders].flatMap(([load, order]): readonly Turn<Measurement>[] =>
    sides.map((side) => ({ name: `${load}, ${side.name}`, measure: () => measureWithCpu(side, order) })),
  );
  const reports = await inTurns(turns, effort.rounds, log);
  const of = (load: string): Sides => ({
    present: reports.get(`${load}, present`) ?? [],
    baseline: reports.get(`${load}, baseline`) ?? [],
  });
  const rates = RATES.map((perSecond) => ({ perSecond, of: of(nameOf(perSecond)) }));
  return {
    versions: { node: process.versions.node, baseline: commit },
    notes: NOTES,
    rows: rowsOf({ saturated: of("saturated"), rates }, `baseline ${commit.slice(0, 8)}`),
  };
}

function nameOf(perSecond: number): string {
  return `${perSecond}/s`;
}
