/**
 * Preloaded into a process that is profiled: notes when each task reaches which stage, on the machine's monotonic clock,
 * which all processes share, and writes that where `?to=` says when the process ends.
 */
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { type ReachedStage, TASK_STAGE_CHANNEL } from "@elastic/std/task-stages.ts";
import { nowUs } from "../measure/now-us.ts";
import type { StageTime } from "./stage-times.ts";

const noted: StageTime[] = [];

subscribe(TASK_STAGE_CHANNEL, (message) => {
  const { taskId, stage } = message as ReachedStage;
  noted.push([taskId, stage, nowUs()]);
});

const folder = new URL(import.meta.url).searchParams.get("to");
if (folder !== null) process.on("exit", () => writeFileSync(`${folder}/${process.pid}.json`, JSON.stringify(noted)));
