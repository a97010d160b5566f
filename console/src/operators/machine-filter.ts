/** What the list of machines is filtered by, as it stands in the address. */
import { known, pageOf, textOf } from "./name-filter.ts";

export const MACHINE_STATES = ["JOINING", "READY", "DRAINING", "DRAINED", "LOST", "GONE"] as const;

/** As `GET /v1/nodes` has it. */
export interface MachineFilter {
  readonly state?: (typeof MACHINE_STATES)[number];
  readonly gpu_type?: string;
  readonly label?: string;
  readonly page?: number;
}

const TEXT_LENGTH_MAX = 128;

/** What is not understood is left out: anybody can write an address. */
export function readMachineFilter({
  state,
  gpu_type: type,
  label,
  page,
}: Readonly<Record<string, unknown>>): MachineFilter {
  return known<MachineFilter>({
    state: MACHINE_STATES.find((one) => one === state),
    gpu_type: textOf(type, TEXT_LENGTH_MAX),
    label: textOf(label, TEXT_LENGTH_MAX),
    page: pageOf(page),
  });
}
