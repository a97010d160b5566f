import { describe, expect, test } from "vitest";
import { refused } from "./problem.ts";

function refusal(status: number, body: object) {
  return refused({ status, retryAfter: null, requestId: null, body });
}

describe("what the server says of a refusal", () => {
  const detail = "This is not the name of an image.";

  test("is said once where its only error repeats the detail", () => {
    const error = refusal(422, { detail, errors: [{ pointer: "#/image", detail }] });
    expect(error.message).toBe(detail);
  });

  test("is said once where it holds its error, and names the option that the place came from", () => {
    const why = "The URL is too long.";
    const error = refusal(422, { detail: `No input. ${why}`, errors: [{ pointer: "#/input_url", detail: why }] });
    expect(error.message).toBe(`No input. ${why}`);
    const time = refusal(422, { detail: "No.", errors: [{ pointer: "created_after", detail: "a time" }] });
    expect(time.message).toBe("No. --after: a time");
  });

  test("is said in the command's options and their units, whatever the request calls them", () => {
    const errors = [
      { pointer: "#/resources/gpu_memory_bytes", detail: "Too big: expected number to be <=1099511627776" },
      { pointer: "#/env/PATH", detail: "this name is set by the platform" },
    ];
    expect(refusal(422, { detail: "No.", errors }).message).toBe(
      "No. --gpu-memory: at most 1099 GB --env PATH: this name is set by the platform",
    );
  });

  test("names options in place of the sentence that names members of the request", () => {
    const errors = [
      { pointer: "#/resources/memory_bytes", detail: "Too small: expected number to be >=16777216" },
      { pointer: "querystring/size", detail: "there is no such parameter" },
    ];
    const error = refusal(422, { detail: "The request is not valid: #/resources/…", code: "invalid_request", errors });
    expect(error.message).toBe(
      "The request is not valid. --memory: at least 0.016 GiB; size: there is no such parameter",
    );
  });

  test("of a registry that is not allowed is followed by the ways that there are", () => {
    const { next } = refusal(422, { detail: "No.", code: "registry_not_allowed" });
    expect(next).toMatch(/`docker pull <image>`.*ELASTIC_REGISTRIES/);
    const without = refusal(422, { detail: "…; none is configured here, only …", code: "registry_not_allowed" });
    expect(without.next).toMatch(/ELASTIC_REGISTRY; .*--container/);
  });

  test("names the places that the detail does not", () => {
    const errors = [
      { pointer: "#/scaling/idle_timeout_seconds", detail: "too many" },
      { pointer: "#", detail: "unknown key" },
    ];
    expect(refusal(422, { detail: "No.", errors }).message).toBe(
      "No. scaling/idle_timeout_seconds: too many unknown key",
    );
  });
});

test.each([
  [400, "too_deep", 2],
  [413, "input_too_large", 2],
  [422, "invalid_request", 2],
  [403, "scope_missing", 1],
  [409, "service_not_ready", 1],
  [409, "service_name_taken", 1],
  [500, "internal", 1],
])("a refusal with %i %s ends the command with %i", (status, code, exitCode) => {
  expect(refusal(status, { detail: "No.", code }).exitCode).toBe(exitCode);
});

test("a path that does not exist may be of a wrong id or of a wrong address", () => {
  expect(refusal(404, { detail: "No.", code: "route_not_found" }).next).toMatch(/the id, and the address/);
  expect(refusal(404, { detail: "No.", code: "not_found" }).next).toMatch(/^Check the id;/);
});

test("what is missing for another reason than its id has no advice to check an id", () => {
  const detail = "This installation has no registry, which images that are built are put into.";
  expect(refusal(404, { detail, code: "no_registry" }).next).toMatch(/^Ask whoever operates it for one/);
  expect(refusal(404, { detail: "No.", code: "anything_else" }).next).toBeUndefined();
});

test.each([
  ["access key", "`elastic key list`"],
  ["deployment", "`elastic deployment list`"],
  ["delivery", "`elastic webhook deliveries <webhook_id>`"],
  ["team", "`elastic team switch`"],
  ["invitation", "`elastic team invitations`"],
  ["node", "`elastic node list`"],
  ["build", "`elastic build list`"],
  ["authorised key", "`elastic shell key list`"],
])("of an unknown %s the next step is %s", (noun, command) => {
  expect(refusal(404, { detail: `There is no such ${noun}.`, code: "not_found" }).next).toContain(command);
});

test("of a missing scope it is said who gives it", () => {
  const next = (scopes: string) =>
    refusal(403, { detail: `The access key needs the scope ${scopes}.`, code: "scope_missing" }).next;
  expect(next("services or tasks:read")).toMatch(/^`elastic key create <name> --scopes services` makes a key with it/);
  expect(next("nodes")).toMatch(/else ask whoever operates the service\.$/);
  expect(next("admin")).toContain("given by the operator");
  const lacking = (scope: string) =>
    refusal(403, { detail: `The access key has not the scope ${scope} itself, so no key …`, code: "scope_missing" })
      .next;
  expect(lacking("admin")).toContain("given by the operator");
  expect(lacking("services")).toContain("elastic key list");
  expect(refusal(403, { detail: "Your role in the team is viewer.", code: "role_missing" }).next).toContain(
    "elastic team members",
  );
});
