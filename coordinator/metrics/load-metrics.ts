/**
 * What services and teams have waiting and running, on the coordinator that leads. They are the only labels that are ids: of
 * the services whose tasks wait longest, and the teams that have most waiting; all others are one, `other`.
 */
import { Gauge, type Registry } from "prom-client";

/** Series of one gauge, at any time; `other` is one more. */
const SHOWN_MAX = 20;
const OTHER = "other";

interface Counts {
  readonly queued: number;
  readonly running: number;
  readonly slots: number;
}

interface Load extends Counts {
  readonly serviceId: string;
  readonly teamId: string;
  /** Null where nothing waits. */
  readonly oldestMs: number | null;
  readonly workloads: number;
}

export interface LoadMetrics {
  /** Where they are read at each scrape: none while another coordinator leads. */
  observe(loads: () => Iterable<Load>): void;
}

export function createLoadMetrics(registry: Registry): LoadMetrics {
  let read: () => Iterable<Load> = () => [];
  const registers = [registry];
  const gauge = (name: string, label: "service" | "team", help: string) =>
    new Gauge({ name, help, labelNames: [label], registers });
  const oldest = new Gauge({
    name: "elastic_queue_oldest_seconds",
    help: "Age of the oldest task that waits for a slot, of the services where it is greatest; `other` is the greatest of the rest.",
    labelNames: ["service"],
    registers,
    // The gauges below have their values by then, since they are read after this one.
    collect: () => collect(),
  });
  const service = {
    queued: gauge("elastic_service_queued_tasks", "service", "Tasks that wait for a slot, of the same services."),
    running: gauge("elastic_service_running_tasks", "service", "Tasks that run, of the same services."),
    workloads: gauge("elastic_service_ready_workloads", "service", "Workloads that are ready, of the same services."),
  };
  const team = {
    queued: gauge("elastic_team_queued_tasks", "team", "Tasks that wait for a slot, of the teams that have most."),
    running: gauge("elastic_team_running_tasks", "team", "Tasks that run, of the same teams."),
    slots: gauge("elastic_team_held_slots", "team", "Slots that workloads of services hold, of the same teams."),
  };

  const collect = (): void => {
    for (const each of [oldest, ...Object.values(service), ...Object.values(team)]) each.reset();
    const loads = [...read()];
    for (const [label, of] of shown(loads.toSorted(byAge), ({ serviceId }) => serviceId)) {
      const ages = of.flatMap(({ oldestMs }) => oldestMs ?? []);
      if (ages.length > 0) oldest.set({ service: label }, ages.reduce((a, b) => Math.max(a, b)) / 1000);
      service.queued.set({ service: label }, sum(of, "queued"));
      service.running.set({ service: label }, sum(of, "running"));
      service.workloads.set({ service: label }, sum(of, "workloads"));
    }
    for (const [label, of] of shown(teamsOf(loads).toSorted(byQueue), ({ teamId }) => teamId)) {
      team.queued.set({ team: label }, sum(of, "queued"));
      team.running.set({ team: label }, sum(of, "running"));
      team.slots.set({ team: label }, sum(of, "slots"));
    }
  };
  return {
    observe: (loads) => {
      read = loads;
    },
  };
}

interface TeamLoad extends Counts {
  readonly teamId: string;
}

function teamsOf(loads: readonly Load[]): readonly TeamLoad[] {
  const teams = Map.groupBy(loads, ({ teamId }) => teamId);
  return [...teams].map(([teamId, of]) => ({
    teamId,
    queued: sum(of, "queued"),
    running: sum(of, "running"),
    slots: sum(of, "slots"),
  }));
}

/** The first with their labels, the others together. */
function shown<T>(ranked: readonly T[], labelOf: (one: T) => string): readonly (readonly [string, readonly T[]])[] {
  const first = ranked.slice(0, SHOWN_MAX).map((one) => [labelOf(one), [one]] as const);
  const rest = ranked.slice(SHOWN_MAX);
  return rest.length === 0 ? first : [...first, [OTHER, rest] as const];
}

function byAge(a: Load, b: Load): number {
  return (b.oldestMs ?? -1) - (a.oldestMs ?? -1) || byQueue(a, b) || (a.serviceId < b.serviceId ? -1 : 1);
}

function byQueue(a: Counts, b: Counts): number {
  return b.queued - a.queued || b.running - a.running || b.slots - a.slots;
}

function sum<K extends string>(of: readonly Readonly<Record<K, number>>[], name: K): number {
  return of.reduce((total, one) => total + one[name], 0);
}
