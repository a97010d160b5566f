import { expect, test } from "vitest";
import { REPOSITORY, SOURCE } from "../sources/testing/a-source.ts";
import { type Facts, nextStep } from "./next-step.ts";

const NOTHING: Facts = { service: null, source: null, hasBuild: false, repository: null };
const EMPTY = { service_id: "1", image: null, state: "Unready", next_deployment_id: null } as const;

test("goes from nothing to a build, a step at a time", () => {
  expect(nextStep(NOTHING)).toBe("create_repository");
  expect(nextStep({ ...NOTHING, repository: REPOSITORY })).toBe("create_service");
  expect(nextStep({ ...NOTHING, repository: REPOSITORY, service: EMPTY })).toBe("set_source");
  expect(nextStep({ ...NOTHING, service: EMPTY, source: SOURCE })).toBe("start_build");
  expect(nextStep({ ...NOTHING, service: EMPTY, source: SOURCE, hasBuild: true })).toBe("done");
});

test("continues with an empty service of the name, and creates its repository only where it has no source", () => {
  expect(nextStep({ ...NOTHING, service: EMPTY })).toBe("create_repository");
  expect(nextStep({ ...NOTHING, service: EMPTY, source: SOURCE, repository: REPOSITORY })).toBe("start_build");
});

test.each([
  { ...EMPTY, image: "builtin:echo" },
  { ...EMPTY, state: "Failed" as const },
  { ...EMPTY, next_deployment_id: "2" },
])("does not touch a service of the name that runs something: %o", (service) => {
  for (const source of [null, SOURCE]) {
    expect(nextStep({ ...NOTHING, service, source, repository: REPOSITORY })).toBe("name_in_use");
  }
});

test("does not touch a service of the name that was built from what was sent", () => {
  expect(nextStep({ ...NOTHING, service: EMPTY, hasBuild: true })).toBe("name_in_use");
});
