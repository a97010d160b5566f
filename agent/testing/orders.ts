/** Assignments and orders as a coordinator would send them. */
import type { StartAttempt } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { Assignment, DeploymentWorkload, Resources } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";

let lastTask = 0;

export function assignmentOf(
  image: string,
  more: Partial<DeploymentWorkload> & {
    readonly assignmentId?: string;
    readonly gpuUuids?: string[];
    readonly resources?: Partial<Resources>;
  } = {},
): Assignment {
  const { assignmentId = "a1", gpuUuids = [], resources, ...deployment } = more;
  return {
    assignmentId,
    gpuUuids,
    resources: {
      cpuMillis: 1000,
      memoryBytes: 256n * 1024n * 1024n,
      pids: 64,
      tmpBytes: 16n * 1024n * 1024n,
      ...resources,
    },
    workload: {
      $case: "deployment",
      value: {
        deploymentId: `d-${assignmentId}`,
        serviceId: `s-${assignmentId}`,
        teamId: "t1",
        image,
        env: {},
        concurrency: 1,
        startTimeoutMs: 30_000,
        inputBytesMax: 10n * 1024n * 1024n,
        ...deployment,
      },
    },
  };
}

export function startOf(input: string | Buffer, more: Partial<StartAttempt> = {}): StartAttempt & { taskId: string } {
  lastTask += 1;
  const taskId = lastTask.toString(16).padStart(32, "0");
  const inlineInput = Buffer.from(input);
  return {
    taskId,
    attempt: { taskId, number: 1, token: { storeEpoch: 1n, revision: BigInt(lastTask) } },
    assignmentId: "a1",
    serviceId: "s-a1",
    inlineInput,
    inputBytes: BigInt(inlineInput.length),
    runTimeoutMs: 20_000,
    requestId: `r${lastTask}`,
    ...more,
  };
}
