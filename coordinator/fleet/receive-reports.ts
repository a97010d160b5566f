/** Receives the reports of one link: many are committed at once, and acknowledged together. */
import type { AttemptAck, AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { FleetContext } from "./fleet-context.ts";
import type { Intake } from "./intake.ts";
import type { Link } from "./link.ts";
import { receiveReport } from "./receive-report.ts";

export class ReportReceiver {
  readonly #context: FleetContext;
  readonly #link: Link;
  readonly #intake: Intake;
  #acks: AttemptAck[] = [];

  constructor(context: FleetContext, link: Link, intake: Intake) {
    this.#context = context;
    this.#link = link;
    this.#intake = intake;
  }

  take(reports: readonly AttemptReport[]): void {
    this.#intake.take(reports.length, Promise.all(reports.map((report) => this.#one(report))));
  }

  async #one(report: AttemptReport): Promise<void> {
    try {
      const verdict = await receiveReport(this.#context, this.#link, report);
      if (verdict !== null) this.#ack({ attempt: report.attempt, verdict });
    } catch (error) {
      // Not acknowledged, so the agent keeps it and says it again.
      this.#context.log.warn({ err: error, nodeId: this.#link.nodeId }, "a report could not be committed yet");
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
