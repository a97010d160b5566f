import { expect, test } from "vitest";
import { BUILD } from "../builds/testing/a-build.ts";
import { shownBuild, unchangedBuild } from "./shown-build.ts";

const id = (at: number) => `${at}`.padStart(32, "0");
const EMPTY = { current_deployment_id: null, next_deployment_id: null };
const build = (at: number, release: Partial<NonNullable<typeof BUILD.release>> | null) => ({
  ...BUILD,
  build_id: id(at),
  release:
    release === null
      ? null
      : { trigger: "push" as const, state: "waiting" as const, deployment_id: null, message: null, ...release },
});

test("shows the newest build that is to be deployed, until it is", () => {
  expect(shownBuild([], EMPTY)).toBeNull();
  expect(shownBuild([build(3, null), build(2, {}), build(1, {})], EMPTY)?.build_id).toBe(id(2));
  const serving = { ...EMPTY, current_deployment_id: id(4) };
  expect(shownBuild([build(3, { state: "released", deployment_id: id(4) })], serving)).toBeNull();
  expect(shownBuild([build(3, { state: "superseded" })], serving)).toBeNull();
  const coming = { current_deployment_id: id(1), next_deployment_id: id(4) };
  expect(shownBuild([build(3, { state: "deploying", deployment_id: id(4) })], coming)?.build_id).toBe(id(3));
});

test("shows a failure of the newest push over what serves, until something else is deployed", () => {
  const failed = build(3, { state: "failed", message: "no" });
  expect(shownBuild([failed], { ...EMPTY, current_deployment_id: id(2) })).toBe(failed);
  expect(shownBuild([failed], { ...EMPTY, current_deployment_id: id(4) })).toBeNull();
});

test("shows a build without a deployment only where nothing was deployed", () => {
  expect(shownBuild([build(3, null)], EMPTY)?.build_id).toBe(id(3));
  expect(shownBuild([build(3, null)], { ...EMPTY, current_deployment_id: id(1) })).toBeNull();
});

test("finds that the newest build changed nothing of what serves", () => {
  const serving = { ...EMPTY, current_deployment_id: id(2) };
  const same = { ...build(3, { state: "released", deployment_id: id(2) }), reused_from: id(1) };
  expect(unchangedBuild([same, build(1, {})], serving)).toBe(same);
  expect(unchangedBuild([{ ...same, reused_from: null }], serving)).toBeNull();
  expect(unchangedBuild([build(4, {}), same], serving)).toBeNull();
  expect(unchangedBuild([same], { ...serving, next_deployment_id: id(4) })).toBeNull();
  // An earlier image that was deployed again.
  const again = { ...build(3, { state: "released", deployment_id: id(4) }), reused_from: id(1) };
  expect(unchangedBuild([again], { ...EMPTY, current_deployment_id: id(4) })).toBeNull();
});
