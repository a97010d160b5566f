/** What was used by day and service, added up either way. Pure. */
import type { components } from "elastic-client/gen/schema.ts";
import type { Measure } from "./usage-filter.ts";

export type UsageDay = components["schemas"]["UsageDay"];

export interface Used {
  /** A day, or a service's id. */
  readonly key: string;
  readonly label: string;
  readonly tasks: number;
  readonly succeeded: number;
  readonly gpu_seconds: number;
  readonly slot_seconds: number;
}

/** The newest day first. */
export function byDay(rows: readonly UsageDay[]): readonly Used[] {
  return sumsBy(rows, ({ day }) => ({ key: day, label: day })).sort((a, b) => (a.key < b.key ? 1 : -1));
}

/** The one that used most first. */
export function byService(rows: readonly UsageDay[], measure: Measure): readonly Used[] {
  // A service that was deleted long ago has no name any more.
  const of = ({ service_id: key, service_name: name }: UsageDay) => ({ key, label: name === "" ? key : name });
  return sumsBy(rows, of).sort((a, b) => b[measure] - a[measure] || (a.label < b.label ? -1 : 1));
}

export function totalOf(rows: readonly UsageDay[]): Used {
  const [total] = sumsBy(rows, () => ({ key: "total", label: "Total" }));
  return total ?? { key: "total", label: "Total", tasks: 0, succeeded: 0, gpu_seconds: 0, slot_seconds: 0 };
}

function sumsBy(rows: readonly UsageDay[], of: (row: UsageDay) => Pick<Used, "key" | "label">): Used[] {
  const sums = new Map<string, Used>();
  for (const row of rows) {
    const { key, label } = of(row);
    const sum = sums.get(key) ?? { key, label, tasks: 0, succeeded: 0, gpu_seconds: 0, slot_seconds: 0 };
    const { succeeded, failed, cancelled, timed_out, expired } = row.tasks;
    sums.set(key, {
      ...sum,
      tasks: sum.tasks + succeeded + failed + cancelled + timed_out + expired,
      succeeded: sum.succeeded + succeeded,
      gpu_seconds: sum.gpu_seconds + row.gpu_seconds,
      slot_seconds: sum.slot_seconds + row.slot_seconds,
    });
  }
  return [...sums.values()];
}
