/** How long tasks take from each stage to the next. Pure. */
import { TASK_STAGES, type TaskStage } from "@elastic/std/task-stages.ts";
import { percentile } from "../measure/statistics.ts";

export type StageTime = readonly [taskId: string, stage: TaskStage, atUs: number];

export interface StageStep {
  readonly from: TaskStage;
  readonly to: TaskStage;
  readonly p50Us: number;
  readonly p95Us: number;
  /** Tasks that reached both. */
  readonly tasks: number;
}

/** Of a stage that a task reached more than once the first time counts. Of the tasks in `fromUs` to `toUs` alone. */
export function stageSteps(times: Iterable<StageTime>, fromUs: number, toUs: number): readonly StageStep[] {
  const tasks = new Map<string, Map<TaskStage, number>>();
  for (const [taskId, stage, atUs] of times) {
    const reached = tasks.get(taskId) ?? new Map<TaskStage, number>();
    tasks.set(taskId, reached);
    reached.set(stage, Math.min(atUs, reached.get(stage) ?? atUs));
  }
  const within = [...tasks.values()].filter((reached) => isWithin(reached.get("accepted"), fromUs, toUs));
  return TASK_STAGES.slice(1).flatMap((to, index) => {
    const from = TASK_STAGES[index] as TaskStage;
    const tookUs = within.flatMap((reached) => tookFrom(reached, from, to));
    if (tookUs.length === 0) return [];
    return [{ from, to, p50Us: percentile(tookUs, 0.5), p95Us: percentile(tookUs, 0.95), tasks: tookUs.length }];
  });
}

function isWithin(atUs: number | undefined, fromUs: number, toUs: number): boolean {
  return atUs !== undefined && atUs >= fromUs && atUs < toUs;
}

function tookFrom(reached: ReadonlyMap<TaskStage, number>, from: TaskStage, to: TaskStage): readonly number[] {
  const [began, ended] = [reached.get(from), reached.get(to)];
  return began === undefined || ended === undefined ? [] : [ended - began];
}
