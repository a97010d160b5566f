import { Command, InvalidArgumentError } from "commander";
import { getServiceMetrics } from "../api/metrics.ts";
import type { Context } from "../context/context.ts";
import { parseTimeSpan, timeSpanText } from "../input/time-span.ts";
import { metricsText } from "../output/metrics-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

const HOUR_S = 3_600;
const SINCE_MAX_S = 24 * HOUR_S;
const STEPS_S = [60, 300, 600, 1800, 3600];
/** A screenful. */
const ROWS_MAX = 24;

interface Options extends ServiceOption {
  readonly since: number;
  readonly step?: number;
}

/** `elastic service metrics`: how the directory's service fared over the last hours. */
export function serviceMetrics(context: Context): Command {
  return withOutput(withService(new Command("metrics")))
    .description("show how the service fared: ended tasks, queue and run times, queue, workloads, GPUs, memory")
    .option("--since <time span>", "how far back, up to 24h", parseSince, HOUR_S)
    .option("--step <time span>", `time of a row: ${STEPS_S.map(timeSpanText).join(", ")}`, parseStep)
    .addHelpText(
      "after",
      examples(
        "elastic service metrics",
        "elastic service metrics --since 24h --step 1h",
        "elastic service metrics --service poseidon --json",
      ),
    )
    .action(async ({ since, step, ...options }: Options) => {
      const caller = await openSession(context);
      const serviceId = await chosenServiceId(context, caller, options);
      const stepSeconds = step ?? STEPS_S.find((seconds) => since / seconds <= ROWS_MAX);
      const metrics = await getServiceMetrics(caller, serviceId, { seconds: since, stepSeconds });
      context.printer.result({ json: metrics, text: metricsText(metrics) });
      if (metrics.since > metrics.from) context.printer.note(`Ended tasks are known since ${metrics.since}.`);
    });
}

function parseSince(text: string): number {
  const seconds = parseTimeSpan(text);
  if (seconds > SINCE_MAX_S) throw new InvalidArgumentError(`Give at most ${timeSpanText(SINCE_MAX_S)}.`);
  return seconds;
}

function parseStep(text: string): number {
  const seconds = parseTimeSpan(text);
  if (!STEPS_S.includes(seconds)) {
    throw new InvalidArgumentError(`Give one of ${STEPS_S.map(timeSpanText).join(", ")}.`);
  }
  return seconds;
}
