import { expect, test } from "vitest";
import { BuildSteps } from "./build-steps.ts";
import { currentStep } from "./current-step.ts";

test("is the step that began last and still runs", () => {
  const log = new BuildSteps();
  expect(currentStep(log.steps())).toBeNull();
  log.add("[elastic] fetching\n#1 [build 1/3] RUN a\n#2 [build 2/3] RUN b\n#2 0.1 line\n");
  expect(currentStep(log.steps())?.name).toBe("[build 2/3] RUN b");
  log.add("#2 DONE 1.0s\n");
  expect(currentStep(log.steps())?.name).toBe("[build 1/3] RUN a");
  log.add("#1 CACHED\n");
  expect(currentStep(log.steps())).toBeNull();
});
