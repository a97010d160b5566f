/** The step of a turn that makes deployments current, or gives them up. */
import { rolledOut, rollOutFailed } from "../domain/service.ts";
import { replace } from "../store/change.ts";
import type { ServiceEntry } from "./entries.ts";
import { judgeRollOut } from "./roll-out.ts";
import type { TurnContext } from "./turn-context.ts";

export function rollOutDeployments(context: TurnContext, services: Iterable<ServiceEntry>): void {
  for (const service of services) rollOut(context, service);
}

function rollOut({ view, committer, clock, log }: TurnContext, service: ServiceEntry): void {
  const { read } = service;
  const next = view.deployments.get(read?.value.nextDeploymentId ?? "");
  if (read === null || next === undefined || service.pending || read.value.state.kind === "deleted") return;
  const judged = judgeRollOut(service, next, view.failuresOf(next.id), clock.monotonicMs());
  if (judged === null) return;

  const after =
    judged.kind === "rolled_out" ? rolledOut(read.value) : rollOutFailed(read.value, judged.reason, judged.message);
  service.pending = true;
  committer.commit([replace("services", read, after)], {
    committed: () => log.info({ serviceId: service.id, deploymentId: next.id, rollOut: judged }, "judged a deployment"),
    refused: () => {
      if (service.read !== read) return;
      service.pending = false;
      view.touch(service);
    },
  });
}
