/** One run: a fleet under a schedule of events, then without any until all work has ended, and what the run shows. */
import { isTerminal, type Task } from "@elastic/coordinator/domain/task.ts";
import type { Logger } from "@elastic/std/log.ts";
import { pino } from "pino";
import { alignIds } from "./align-ids.ts";
import type { Behaviour } from "./attempt-input.ts";
import { befall } from "./befall.ts";
import { type Bug, FleetUnderTest } from "./fleet-under-test.ts";
import { judgeRun, PROBES_FROM } from "./judge-run.ts";
import { randomOf } from "./random.ts";
import type { Schedule, SimulatedEvent } from "./schedule.ts";
import { TaskClient } from "./task-client.ts";
import { installVirtualGlobals } from "./virtual-globals.ts";
import { Watcher } from "./watcher.ts";
import { Process, World } from "./world.ts";

/** All work must have ended so long after the last fault, and so long for each task: one workload may have to do all of it. */
const ENDS_WITHIN_MS = 200_000;
const TASK_ENDS_WITHIN_MS = 45_000;
const LAST_READS_MS = 15_000;
/** Coordinators serve and links are open by then. */
const PROBED_AFTER_MS = 15_000;
const CREATED_WITHIN_MS = 5_000;
const PROBES_END_WITHIN_MS = 120_000;
const PROBE: Behaviour = { runMs: 100, end: "succeed", output: '{"proof":"probe"}' };

export interface RunOptions {
  readonly bug?: Bug | null;
  /** Of the simulated processes, for a timeline. */
  readonly onLine?: (atMs: number, process: string, line: Readonly<Record<string, unknown>>) => void;
}

export interface Run {
  /** Sentences; none where every promise held. */
  readonly violations: readonly string[];
  /** The same of two runs that took the same course. */
  readonly trace: string;
  readonly virtualMs: number;
  readonly steps: number;
  readonly tasks: number;
  readonly executions: number;
}

const SILENT = pino({ level: "silent" });

/** Runs of one program come one after the other: they share its globals. */
export async function runSchedule(schedule: Schedule, { bug = null, onLine }: RunOptions = {}): Promise<Run> {
  using _ = installVirtualGlobals();
  const world = new World(randomOf(schedule.seed, "ids"));
  const onRejection = (error: unknown) => {
    world.uncaught.push(`a rejection that nobody handles: ${error instanceof Error ? error.stack : String(error)}`);
  };
  process.on("unhandledRejection", onRejection);
  try {
    const setup = new Process(world, { host: "setup", name: "setup" });
    setup.enter(() => alignIds(world));
    // However many were used up for that.
    world.random = randomOf(schedule.seed, "ids");
    const logOf = (of: Process): Logger => (onLine === undefined ? SILENT : capturing(of, onLine));
    const fleet = setup.enter(() => new FleetUnderTest({ world, schedule, logOf, bug }));
    const client = new TaskClient(fleet.network, fleet.serviceId, (host) => fleet.serving(host));
    const watcher = new Watcher(fleet, schedule);
    for (const event of schedule.events) {
      world.at(null, event.atMs, event.kind, () => {
        watcher.onEvent(event);
        befall(event, fleet, client);
      });
    }
    fleet.startAll();
    await world.run(schedule.healedAtMs);
    fleet.heal();
    await world.run(Math.max(schedule.healedAtMs, ...schedule.events.map(overAtMs)));
    await world.run(schedule.healedAtMs + endsWithinMs(schedule), () => haveAllEnded(fleet));
    await world.run(world.nowMs + PROBED_AFTER_MS);
    for (const [index, at] of schedule.fleet.coordinators.entries()) client.create(PROBES_FROM + index, at, PROBE);
    await world.run(world.nowMs + CREATED_WITHIN_MS);
    await world.run(world.nowMs + PROBES_END_WITHIN_MS, () => haveAllEnded(fleet));
    const [host = ""] = schedule.fleet.coordinators;
    for (const call of client.created.keys()) client.read(call, host);
    await world.run(world.nowMs + LAST_READS_MS);
    return {
      violations: judgeRun({ fleet, client, watcher, schedule, uncaught: world.uncaught }),
      trace: world.trace.digest(),
      virtualMs: world.nowMs,
      steps: world.steps,
      tasks: client.created.size,
      executions: fleet.ledger.executions.length,
    };
  } finally {
    process.off("unhandledRejection", onRejection);
  }
}

function haveAllEnded({ store, ledger }: FleetUnderTest): boolean {
  const last = new Map(store.writes.flatMap(({ kind, id, value }) => (kind === "tasks" ? [[id, value]] : [])));
  const open = [...last.values()].some((value) => value !== null && !isTerminal((value as Task).phase));
  return !open && ledger.running().length === 0;
}

function endsWithinMs({ events }: Schedule): number {
  return ENDS_WITHIN_MS + TASK_ENDS_WITHIN_MS * events.filter(({ kind }) => kind === "create").length;
}

/** Until then something may be on its way that the event held back. */
function overAtMs(event: SimulatedEvent): number {
  return event.atMs + ("forMs" in event ? event.forMs : 0);
}

function capturing(of: Process, onLine: NonNullable<RunOptions["onLine"]>): Logger {
  const write = (line: string) => onLine(of.world.nowMs, of.name, JSON.parse(line) as Record<string, unknown>);
  return pino({ level: "info" }, { write });
}
