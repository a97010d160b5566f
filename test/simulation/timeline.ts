/** What happened in a run, in words: the events of its schedule, and what its processes logged meanwhile. */
import { type RunOptions, runSchedule } from "./run-schedule.ts";
import type { Schedule, SimulatedEvent } from "./schedule.ts";

interface Line {
  readonly atMs: number;
  readonly text: string;
}

/** Of a line of a log. */
const SHOWN = ["nodeId", "taskId", "assignmentId", "attempt", "address", "why", "epoch", "cause", "reason", "tasks"];
const QUIET = ["coordinator does not respond"];

/** Runs it once more. */
export async function timelineOf(
  schedule: Schedule,
  options: Pick<RunOptions, "bug"> = {},
): Promise<readonly string[]> {
  const lines: Line[] = schedule.events.map((event) => ({ atMs: event.atMs, text: `* ${wordsOf(event)}` }));
  const run = await runSchedule(schedule, {
    ...options,
    onLine: (atMs, process, line) => {
      const message = String(line.msg);
      if (QUIET.some((start) => message.startsWith(start))) return;
      const about = SHOWN.flatMap((name) => (line[name] === undefined ? [] : [`${name} ${text(line[name])}`]));
      lines.push({ atMs, text: `  ${process}: ${message}${about.length === 0 ? "" : ` (${about.join(", ")})`}` });
    },
  });
  lines.push({ atMs: schedule.healedAtMs, text: "* from here on nothing is broken" });
  const sorted = lines.sort((a, b) => a.atMs - b.atMs);
  return [
    ...sorted.map(({ atMs, text: what }) => `${(atMs / 1_000).toFixed(3).padStart(9)} s ${what}`),
    ...run.violations.map((violation) => `   broken: ${violation}`),
  ];
}

function wordsOf(event: SimulatedEvent): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  switch (event.kind) {
    case "create": {
      const { runMs, end } = event.behaviour;
      return `the client creates task ${event.call} at ${event.at}, whose prover takes ${seconds(runMs)} and will ${end}`;
    }
    case "cancel":
    case "read":
      return `the client ${event.kind}s task ${event.call} at ${event.at}`;
    case "crash":
      return `${event.host} is killed, and starts again after ${seconds(event.downMs)}`;
    case "pause":
      return `${event.host} is paused for ${seconds(event.forMs)}`;
    case "isolate":
      return `${event.host} reaches no coordinator for ${seconds(event.forMs)}`;
    case "partition": {
      const ways = event.both ? `between ${event.from} and ${event.to}` : `from ${event.from} to ${event.to}`;
      return `nothing passes ${ways} for ${seconds(event.forMs)}`;
    }
    case "slow":
      return `what passes from ${event.from} to ${event.to} takes up to ${seconds(event.extraMs)} more for ${seconds(event.forMs)}`;
    case "cut":
      return `connections between ${event.from} and ${event.to} break, which is noticed after ${seconds(event.noticeMs)}`;
    case "lose-responses":
      return `${event.host} loses the responses to its next commits: ${event.losses.join(", ")}`;
    case "store-away":
      return `${event.host} does not reach the store for ${seconds(event.forMs)}`;
    case "watches-stall":
      return `the watches of ${event.host} bring nothing for ${seconds(event.forMs)}`;
    case "watches-break":
      return `the watches of ${event.host} break`;
    case "leases-end":
      return `the store ends the leases of ${event.host} too early`;
    case "strike": {
      const moment = event.host.startsWith("a") ? "a proof ends there" : "it has written";
      const fault = event.how === "crash" ? "killed" : "paused";
      return `${event.host} is ${fault} for ${seconds(event.forMs)} once ${moment} next`;
    }
    case "compact":
      return "the store compacts its history";
  }
}

function text(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
