import { newId } from "@elastic/std/ids.ts";
import { describe, expect, test } from "vitest";
import type { Deployment } from "../../domain/deployment.ts";
import { deploy, type Service } from "../../domain/service.ts";
import { aDeployment, aNewService, aNode } from "../../domain/testing/records.ts";
import { entryOf, place, serving } from "../testing/place-steps.ts";
import { versioned, type viewOf } from "../testing/view-of.ts";
import type { SchedulerView } from "../view/scheduler-view.ts";

describe("a roll-out", () => {
  function rollingOut(nodes: Parameters<typeof viewOf>[0]["nodes"]): {
    view: SchedulerView;
    service: Service;
    next: Deployment;
  } {
    const { view, service } = serving(["a"], { scaling: { min: 1 } }, { ...(nodes && { nodes }) });
    const next = aDeployment({ id: newId(8), serviceId: service.id, scaling: { min: 1, max: 4 } });
    view.putDeployment(next.id, versioned(next));
    view.putService(service.id, versioned(deploy(service, next.id)), 0);
    return { view, service, next };
  }

  test("gets its first workload while the current one serves", () => {
    const { view, service } = rollingOut([aNode("a", { slots: 2 })]);
    expect(place(view, service)).toEqual(["assign to a"]);
  });

  test("takes the room of the deployment it replaces when there is no other, after its task", () => {
    const { view, service } = rollingOut([aNode("a", { slots: 1 })]);
    const entry = [...entryOf(view, service).assignments][0];
    expect(place(view, service)).toEqual(["retire on a", "remove on a", "unschedulable"]);
    view.putAssignment(entry?.id ?? "", undefined, 0);
    expect(place(view, service)).toEqual(["assign to a", "unschedulable"]);
  });
});

test("a service without any workload takes the room of another's idle one", () => {
  const { view } = serving(
    ["a"],
    { scaling: { min: 0, max: 1, idleTimeoutMs: 1e9 } },
    { nodes: [aNode("a", { slots: 1 })] },
  );
  const bare = { ...aNewService(), id: newId(50) };
  const deployment = aDeployment({ id: newId(51), serviceId: bare.id, scaling: { min: 1, max: 1 } });
  view.putDeployment(deployment.id, versioned(deployment));
  view.putService(bare.id, versioned(deploy(bare, deployment.id)), 0);
  expect(place(view, bare)).toEqual(["remove on a", "unschedulable"]);
});
