/** A driver of workloads that writes into a ledger when each began and ended, and when each call of an attempt did. */
import type { Driver, Prover, ProverAnswer, ProverCall } from "../domain/driver.ts";
import type { WorkloadSpec } from "../domain/workload-spec.ts";
import type { ExecutionLedger } from "./execution-ledger.ts";

/** What an earlier agent process left is recorded from its adoption on. */
export function recordExecutions(driver: Driver, ledger: ExecutionLedger | null): Driver {
  if (ledger === null) return driver;
  return {
    name: driver.name,
    find: async () =>
      (await driver.find()).map((found) => ({
        ...found,
        adopt: (spec, signal) => recorded(ledger, spec, () => found.adopt(spec, signal)),
      })),
    start: (spec, report, signal) => recorded(ledger, spec, () => driver.start(spec, report, signal)),
  };
}

/** From before there is a process until there is none. */
async function recorded<P extends Prover | null>(
  ledger: ExecutionLedger,
  { assignmentId, role, gpuUuids }: WorkloadSpec,
  bringUp: () => Promise<P>,
): Promise<P> {
  const end = ledger.begin({ holder: assignmentId, uses: [...gpuUuids, `${role} of ${assignmentId}`] });
  try {
    const prover = await bringUp();
    if (prover === null) {
      end();
      return prover;
    }
    prover.ended.then(end, end);
    return { ...prover, prove: (call) => recordCall(ledger, assignmentId, prover, call) };
  } catch (error) {
    end();
    throw error;
  }
}

/** From the time at which the prover is given the task. */
async function recordCall(
  ledger: ExecutionLedger,
  workload: string,
  prover: Prover,
  call: ProverCall,
): Promise<ProverAnswer> {
  const { attempt, taskId } = call;
  if (attempt === undefined) return prover.prove(call);
  let end = (): void => undefined;
  const onCalled = (): void => {
    end = ledger.begin({ holder: taskId, attempt, workload, uses: [] });
    call.onCalled();
  };
  try {
    return await prover.prove({ ...call, onCalled });
  } finally {
    end();
  }
}
