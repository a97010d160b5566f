/** The present commit and an earlier one, as rows. */
import type { Row } from "../benchmark/row.ts";
import { atRate, type Compared, type Costs, cpuRow, rateRow, saturated, timeRow } from "../service/compare.ts";
import type { Measurement } from "../service/measurement.ts";

/** Of one load. */
export interface Sides {
  readonly present: Costs;
  readonly baseline: Costs;
}

export interface Measured {
  readonly saturated: Sides;
  readonly rates: readonly { readonly perSecond: number; readonly of: Sides }[];
}

/** All of a cluster, and then each of its processes. */
const PROCESSES = ["coordinator", "etcd", "agent"];
const DONE = [0.5, 0.95, 0.99];
const START = [0.5, 0.95];

export function rowsOf({ saturated: full, rates }: Measured, baseline: string): readonly Row[] {
  const compared = (load: Compared["load"], { present, baseline: peer }: Sides): Compared<Measurement> => ({
    load,
    ours: present,
    peer,
    peerName: baseline,
  });
  const atFull = compared(saturated("saturated"), full);
  return [
    rateRow("create to done", atFull),
    ...DONE.map((fraction) => timeRow("done", fraction, atFull)),
    ...cpuRows(atFull),
    ...rates.flatMap(({ perSecond, of }) => {
      const at = compared(atRate(perSecond), of);
      const times = [
        ...START.map((fraction) => timeRow("start", fraction, at)),
        ...DONE.map((fraction) => timeRow("done", fraction, at)),
      ];
      return [...times, rateRow("rate that was sustained", at), ...cpuRows(at)];
    }),
  ];
}

function cpuRows(compared: Compared<Measurement>): readonly Row[] {
  return [
    cpuRow("all processes", ({ withoutClient }) => withoutClient, compared),
    ...PROCESSES.map((name) => cpuRow(name, ({ of }) => of[name] ?? Number.NaN, compared)),
  ];
}
