import { expect, test } from "vitest";
import { draftOf, EMPTY_DRAFT, requestOf } from "./deployment-draft.ts";
import { DEPLOYMENT, ID, IMAGE } from "./testing/a-deployment.ts";

test("requests an unchanged deployment as it is, without its secret values", () => {
  const { resources, scaling, limits } = DEPLOYMENT;
  const { gpu_mig_profile: _, ...requested } = resources;
  expect(requestOf(draftOf(DEPLOYMENT))).toEqual({
    image: IMAGE,
    tag: "v1",
    volume_id: DEPLOYMENT.volume_id,
    env: {},
    env_deployment_id: ID,
    resources: requested,
    scaling,
    limits,
  });
});

test("sends variables that are changed, added or removed, and no others", () => {
  const draft = draftOf({ ...DEPLOYMENT, env_names: ["KEPT", "LEVEL", "OLD"] });
  const env = [
    { name: "KEPT", value: "", isEarlier: true },
    { name: "LEVEL", value: "debug", isEarlier: true },
    { name: " NEW ", value: "", isEarlier: false },
  ];
  expect(requestOf({ ...draft, env }).env).toEqual({ LEVEL: "debug", NEW: "", OLD: null });
});

test("starts an empty environment where the earlier one can no longer be opened", () => {
  const request = requestOf(draftOf({ ...DEPLOYMENT, env_names: null }));
  expect([request.env, request.env_deployment_id]).toEqual([{}, undefined]);
});

test("leaves empty fields to the defaults of the service", () => {
  expect(requestOf({ ...EMPTY_DRAFT, image: " builtin:poseidon ", numbers: { memory: 0.5 } })).toEqual({
    image: "builtin:poseidon",
    resources: { memory_bytes: 2 ** 29, node_labels: {} },
    scaling: {},
    limits: {},
  });
});

test("sends no environment and no volume for a builtin prover", () => {
  const { env, env_deployment_id, volume_id } = requestOf({ ...draftOf(DEPLOYMENT), image: "builtin:poseidon" });
  expect([env, env_deployment_id, volume_id]).toEqual([undefined, undefined, undefined]);
});
