/** What really ran: every execution of a prover, as its machine saw it. */
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Process } from "./world.ts";

export interface Execution {
  readonly taskId: string;
  /** The fencing token. */
  readonly revision: number;
  readonly number: number;
  readonly host: string;
  /** The agent that started it; its container may outlive it. */
  readonly agent: Process;
  readonly beganAtMs: number;
  endedAtMs: number | null;
  /** When its agent abandoned it since no coordinator responded; null while it did not. */
  fencedAtMs: number | null;
}

export class Ledger {
  readonly executions: Execution[] = [];
  onBegin: (execution: Execution) => void = () => undefined;
  onEnd: (execution: Execution) => void = () => undefined;

  begin(ref: AttemptRef, agent: Process): Execution {
    const execution: Execution = {
      taskId: ref.taskId,
      revision: Number(ref.token?.revision ?? 0n),
      number: ref.number,
      host: agent.host,
      agent,
      beganAtMs: agent.world.nowMs,
      endedAtMs: null,
      fencedAtMs: null,
    };
    this.executions.push(execution);
    this.onBegin(execution);
    return execution;
  }

  end(execution: Execution): void {
    if (execution.endedAtMs !== null) return;
    execution.endedAtMs = execution.agent.world.nowMs;
    this.onEnd(execution);
  }

  /** All that runs of this agent is abandoned. */
  fence(agent: Process): void {
    for (const execution of this.running()) {
      if (execution.agent === agent) execution.fencedAtMs ??= agent.world.nowMs;
    }
  }

  running(): readonly Execution[] {
    return this.executions.filter(({ endedAtMs }) => endedAtMs === null);
  }
}
