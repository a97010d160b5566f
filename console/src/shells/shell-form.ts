/** What a person fills in for a new shell, and the request that it becomes. */
import type { paths } from "elastic-client/gen/schema.ts";

export type NewShellRequest = paths["/v1/shells"]["post"]["requestBody"]["content"]["application/json"];

const GIB = 2 ** 30;
const HOUR_SECONDS = 3_600;

export interface ShellForm {
  readonly name: string;
  /** Null for the installation's first. */
  readonly image: string | null;
  /** Null for none. */
  readonly gpuType: string | null;
  readonly gpuCount: number;
  readonly cpus: number;
  readonly memoryGib: number;
  readonly homeGib: number;
  readonly longestLifeHours: number;
  /** Null for never. */
  readonly idleStopHours: number | null;
  readonly hasPassword: boolean;
  readonly egress: readonly string[];
}

export const EMPTY_FORM: ShellForm = {
  name: "",
  image: null,
  gpuType: null,
  gpuCount: 1,
  cpus: 1,
  memoryGib: 2,
  homeGib: 10,
  longestLifeHours: 24,
  idleStopHours: 1,
  hasPassword: true,
  egress: [],
};

export function newShellRequest(form: ShellForm): NewShellRequest {
  const name = form.name.trim();
  return {
    ...(name === "" ? {} : { shell_name: name }),
    ...(form.image === null ? {} : { image: form.image }),
    ...(form.gpuType === null ? {} : { gpu_type: form.gpuType, gpu_count: form.gpuCount }),
    cpu_millis: Math.round(form.cpus * 1000),
    memory_bytes: Math.round(form.memoryGib * GIB),
    home_bytes: Math.round(form.homeGib * GIB),
    longest_life_seconds: Math.round(form.longestLifeHours * HOUR_SECONDS),
    idle_stop_seconds: form.idleStopHours === null ? null : Math.round(form.idleStopHours * HOUR_SECONDS),
    password_login: form.hasPassword,
    egress: [...form.egress],
  };
}
