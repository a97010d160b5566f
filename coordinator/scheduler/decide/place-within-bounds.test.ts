import { newId } from "@elastic/std/ids.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Assignment } from "../../domain/assignment.ts";
import { deploy } from "../../domain/service.ts";
import { aDeployment, aGpu, aNewService, aNode } from "../../domain/testing/records.ts";
import { place } from "../testing/place-steps.ts";
import { viewOf } from "../testing/view-of.ts";

test("no node ever gets more than its slots, no GPU is given twice, and nothing lands where it cannot run", () => {
  const node = fc.record({
    slots: fc.nat({ max: 6 }),
    gpus: fc.nat({ max: 4 }),
    state: fc.constantFrom("ready", "ready", "ready", "draining", "lost"),
    linked: fc.boolean(),
  });
  const wish = fc.record({ gpuCount: fc.nat({ max: 3 }), min: fc.nat({ max: 5 }) });
  fc.assert(
    fc.property(fc.array(node, { maxLength: 5 }), fc.array(wish, { maxLength: 5 }), (given, wishes) => {
      const nodes = given.map(({ slots, gpus, state }, n) =>
        aNode(`node-${n}`, {
          slots,
          gpus: Array.from({ length: gpus }, (_, gpu) => aGpu(`${n}-${gpu}`)),
          node: { state: state as "ready" },
        }),
      );
      const pairs = wishes.map(({ gpuCount, min }, n) => {
        const bare = { ...aNewService(), id: newId(1_000 + n) };
        const deployment = aDeployment({
          id: newId(2_000 + n),
          serviceId: bare.id,
          resources: { gpuCount },
          scaling: { min, max: 5 },
        });
        return { service: deploy(bare, deployment.id), deployment };
      });
      const unlinked = given.flatMap(({ linked }, n) => (linked ? [] : [`node-${n}`]));
      const view = viewOf({
        nodes,
        unlinked,
        services: pairs.map(({ service }) => service),
        deployments: pairs.map(({ deployment }) => deployment),
      });
      for (const { service } of pairs) place(view, service);
      for (const [n, entry] of [...view.nodes.values()].entries()) {
        const held: Assignment[] = [...entry.assignments].map(({ value }) => value);
        const uuids = held.flatMap(({ gpuUuids }) => gpuUuids);
        expect(held.reduce((total, { slots }) => total + slots, 0)).toBeLessThanOrEqual(given[n]?.slots ?? 0);
        expect(new Set(uuids).size).toBe(uuids.length);
        if (held.length > 0) expect(given[n]).toMatchObject({ state: "ready", linked: true });
      }
    }),
  );
});
