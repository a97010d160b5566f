/** Refuses messages that hold more than agents send: each entry may cost a read of the store. */
import type { AppendLogsRequest, ConnectRequest } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import {
  BUILD_STAGES_MAX,
  ENDED_ATTEMPTS_A_MESSAGE_MAX,
  GPUS_MAX,
  HELLO_ATTEMPTS_MAX,
  HELLO_WORKLOADS_MAX,
  LOG_PIECES_A_MESSAGE_MAX,
  PROGRESSES_A_MESSAGE_MAX,
  REPORTS_A_MESSAGE_MAX,
} from "@elastic/proto/message-limits.ts";
import { status } from "@grpc/grpc-js";
import type { FleetContext } from "./fleet-context.ts";
import { Violation } from "./refusal.ts";

type Context = Pick<FleetContext, "metrics">;

/** Of one list of a message. */
interface Entries {
  readonly of: "attempts" | "workloads" | "gpus" | "reports" | "progresses" | "log_pieces" | "build_stages";
  readonly count: number;
  readonly max: number;
}

/** Of a link; null for one that may be read on. */
export function refuseOversized(context: Context, message: ConnectRequest["message"]): Violation | null {
  return refuseFirst(context, entriesOf(message));
}

/** Of a stream of logs; null for one that may be read on. */
export function refuseOversizedLogs(context: Context, { chunks }: AppendLogsRequest): Violation | null {
  return refuseFirst(context, [{ of: "log_pieces", count: chunks.length, max: LOG_PIECES_A_MESSAGE_MAX }]);
}

function entriesOf(message: ConnectRequest["message"]): readonly Entries[] {
  switch (message?.$case) {
    case "hello": {
      const { attempts, workloads, inventory } = message.value;
      return [
        { of: "attempts", count: attempts.length, max: HELLO_ATTEMPTS_MAX },
        { of: "workloads", count: workloads.length, max: HELLO_WORKLOADS_MAX },
        { of: "gpus", count: inventory?.gpus.length ?? 0, max: GPUS_MAX },
      ];
    }
    case "heartbeat":
      return [{ of: "gpus", count: message.value.gpuReadings.length, max: GPUS_MAX }];
    case "attemptReports":
      return [{ of: "reports", count: message.value.reports.length, max: REPORTS_A_MESSAGE_MAX }];
    case "endedAttempts":
      return [{ of: "attempts", count: message.value.attempts.length, max: ENDED_ATTEMPTS_A_MESSAGE_MAX }];
    case "attemptProgress":
      return [{ of: "progresses", count: message.value.progresses.length, max: PROGRESSES_A_MESSAGE_MAX }];
    case "buildReport":
      return [{ of: "build_stages", count: message.value.stages.length, max: BUILD_STAGES_MAX }];
    case "nodeReport":
      return [{ of: "gpus", count: message.value.gpus.length, max: GPUS_MAX }];
    default:
      return [];
  }
}

function refuseFirst({ metrics }: Context, lists: readonly Entries[]): Violation | null {
  const over = lists.find(({ count, max }) => count > max);
  if (over === undefined) return null;
  metrics.fleet.messageRefused(over.of);
  const what = over.of.replace("_", " ");
  const why = `a message holds ${over.count} ${what}; it may hold ${over.max}`;
  return new Violation("message", status.INVALID_ARGUMENT, why);
}
