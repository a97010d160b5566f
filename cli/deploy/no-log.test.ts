import { expect, test } from "vitest";
import { noDeploymentText, noLogText } from "./no-log.ts";

const NEW = { service_id: "s1", current_deployment_id: null, next_deployment_id: null, failure: null };
const FAILURE = {
  stage: "pulling",
  reason: "image_unavailable",
  message: "no",
  exit_code: null,
  log_tail: null,
} as const;

test.each([
  [
    "nothing was deployed",
    {},
    "nothing is deployed to the service; run `elastic deploy --service s1 --image <image>`.",
  ],
  [
    "a deployment is coming up",
    { next_deployment_id: "d2", current_deployment_id: "d1" },
    /^the prover of .* d2 has .* info d2 --service s1` shows/,
  ],
  ["the only deployment failed", { failure: FAILURE }, /^the newest deployment failed: image_unavailable; /],
  [
    "one serves while a newer failed",
    { current_deployment_id: "d1", failure: FAILURE },
    /^the provers of the service have/,
  ],
])("where %s, says why there is no log", (_case, fields, text) => {
  expect(noLogText({ ...NEW, ...fields })).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
});

test("finds no deployment where none serves, comes up or failed", () => {
  expect(noDeploymentText(NEW)).not.toBeNull();
  expect(noDeploymentText({ ...NEW, failure: FAILURE })).toBeNull();
});
