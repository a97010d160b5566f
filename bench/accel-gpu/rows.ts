/** What was measured on a GPU, as rows: ours compared with each peer, with the goals, and with the most that the GPU can do. */
import type { MeasuredRow } from "../accel/report.ts";
import { lessIsBetter, moreIsBetter, type Row } from "../benchmark/row.ts";
import { LEAST_RATIOS, MOST_MS, ON_H200 } from "./goals.ts";
import type { Rate, Report } from "./report.ts";

const OURS = "zkaccel gpu";
const MULTIPLICATIONS = "field multiplications, four chains a thread";

/** Each rate is compared with the one that explains it. */
const RATES_BESIDE: Readonly<Record<string, string>> = {
  "32-bit multiply-adds, eight chains a thread": "32-bit multiply-adds, one chain a thread",
  "wide multiply-adds, one chain a thread": "32-bit multiply-adds, one chain a thread",
  "wide multiply-adds, eight chains a thread": "32-bit multiply-adds, eight chains a thread",
  [MULTIPLICATIONS]: "field multiplications, one chain a thread",
  "copies to the GPU": "copies within the GPU's memory",
  "copies from the GPU": "copies within the GPU's memory",
};

/** `shares`: as bench/accel/rows.ts has it. */
export function rowsOf({ gpu, rates, rows }: Report, options: { readonly shares: boolean }): readonly Row[] {
  return [
    ...rows.flatMap(besidePeers),
    ...rows.flatMap((row) => besideGoal(row, gpu)),
    ...rates.flatMap((rate) => besideRate(rate, rates)),
    ...(options.shares ? rows.flatMap((row) => shareOfRate(row, rates)) : []),
  ];
}

function besidePeers({ name, size, threads, contenders }: MeasuredRow): readonly Row[] {
  const ours = contenders.find((one) => one.name === OURS);
  if (ours === undefined) return [];
  return contenders
    .filter((one) => one !== ours)
    .map((peer) => {
      const goal = LEAST_RATIOS[`${name}, ${size}`]?.[peer.name];
      const compared = { name, size, threads, unit: "ms", ours: ours.median, peer: peer.median, peer_name: peer.name };
      return lessIsBetter(goal === undefined ? compared : { ...compared, goal });
    });
}

/** A goal in milliseconds is one of an H200: on another GPU it informs. */
function besideGoal({ name, size, threads, contenders }: MeasuredRow, gpu: string): readonly Row[] {
  const most = MOST_MS[`${name}, ${size}`];
  const ours = contenders.find((one) => one.name === OURS);
  if (most === undefined || ours === undefined) return [];
  const compared = { name, size, threads, unit: "ms", ours: ours.median, peer: most, peer_name: "goal on an H200" };
  return [lessIsBetter(ON_H200.test(gpu) ? { ...compared, goal: 1 } : compared)];
}

function besideRate({ name, unit, value }: Rate, rates: readonly Rate[]): readonly Row[] {
  const other = rates.find((rate) => rate.name === RATES_BESIDE[name]);
  if (other === undefined) return [];
  const compared = { name, size: "", threads: 0, unit, ours: value, peer: other.value, peer_name: other.name };
  return [moreIsBetter(compared)];
}

/** How much of its time the work would take if it were the textbook's multiplications alone, as fast as they were seen. */
function shareOfRate({ name, size, threads, contenders, multiplications }: MeasuredRow, rates: readonly Rate[]): Row[] {
  const billions = rates.find((rate) => rate.name === MULTIPLICATIONS)?.value;
  const ours = contenders.find((one) => one.name === OURS);
  if (billions === undefined || ours === undefined || multiplications === 0) return [];
  const neededMs = multiplications / billions / 1e6;
  return [
    moreIsBetter({
      name: `${name}, share of the GPU's multiplications`,
      size,
      threads,
      unit: "%",
      ours: (100 * neededMs) / ours.median,
      peer: 100,
      peer_name: MULTIPLICATIONS,
    }),
  ];
}
