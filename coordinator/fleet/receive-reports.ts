/** Takes the reports of one link: many are committed at once, and what is answered together is told together. */
import type { AttemptAck, AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { FleetContext } from "./fleet-context.ts";
import { REPORTS_IN_FLIGHT_MAX } from "./limits.ts";
import type { Link } from "./link.ts";
import { receiveReport } from "./receive-report.ts";

/** The stream that the reports come from. */
interface Source {
  pause(): void;
  resume(): void;
}

export class ReportReceiver {
  readonly #context: FleetContext;
  readonly #link: Link;
  readonly #source: Source;
  #acks: AttemptAck[] = [];
  #inFlight = 0;

  constructor(context: FleetContext, link: Link, source: Source) {
    this.#context = context;
    this.#link = link;
    this.#source = source;
  }

  take(reports: readonly AttemptReport[]): void {
    this.#inFlight += reports.length;
    if (this.#inFlight >= REPORTS_IN_FLIGHT_MAX) this.#source.pause();
    for (const report of reports) void this.#one(report);
  }

  async #one(report: AttemptReport): Promise<void> {
    try {
      const verdict = await receiveReport(this.#context, this.#link, report);
      this.#ack({ attempt: report.attempt, verdict });
    } catch (error) {
      // Not acknowledged, so the agent keeps it and says it again.
      this.#context.log.warn({ err: error, nodeId: this.#link.nodeId }, "a report could not be committed yet");
    } finally {
      this.#inFlight--;
      if (this.#inFlight < REPORTS_IN_FLIGHT_MAX / 2) this.#source.resume();
    }
  }

  #ack(ack: AttemptAck): void {
    if (this.#acks.length === 0) {
      setImmediate(() => {
        const acks = this.#acks;
        this.#acks = [];
        this.#link.send({ $case: "attemptAcks", value: { acks } });
      });
    }
    this.#acks.push(ack);
  }
}
