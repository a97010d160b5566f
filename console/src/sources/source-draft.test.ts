import { expect, test } from "vitest";
import { beginSource, sourceRequestOf, withConnection, withRepository } from "./source-draft.ts";
import { CONNECTION, REPOSITORY, SOURCE } from "./testing/a-source.ts";

const SET = beginSource(SOURCE, [CONNECTION], null);

test("begins from the source that is set, and requests the same", () => {
  expect(sourceRequestOf(SET)).toEqual({
    connection_id: SOURCE.connection_id,
    repository_id: SOURCE.repository_id,
    branch: "main",
    base_dir: "provers/one",
    deploy_on_push: false,
  });
});

test("requests nothing while something is missing", () => {
  expect(sourceRequestOf(beginSource(null, [CONNECTION], null))).toBeNull();
  expect(sourceRequestOf({ ...SET, branch: "  " })).toBeNull();
  expect(sourceRequestOf({ ...SET, repositoryId: null })).toBeNull();
});

test("takes the default branch of a chosen repository, and forgets it with the connection", () => {
  const chosen = withRepository(beginSource(null, [CONNECTION], null), REPOSITORY);
  expect(chosen).toMatchObject({ repositoryId: REPOSITORY.repository_id, branch: "trunk" });
  expect(withConnection(chosen, CONNECTION.connection_id)).toBe(chosen);
  expect(withConnection(chosen, "d")).toMatchObject({ connectionId: "d", repositoryId: null, branch: "" });
});

test("begins with the connection that is named, or the only one that can be used", () => {
  const one = { ...CONNECTION, connection_id: "1" };
  const two = { ...CONNECTION, connection_id: "2" };
  const gone = { ...CONNECTION, state: "uninstalled" } as const;
  expect(beginSource(null, [one, two], "2").connectionId).toBe("2");
  expect(beginSource(null, [one, two], null).connectionId).toBeNull();
  expect(beginSource(SOURCE, [gone, two], null)).toMatchObject({ connectionId: "2", repositoryId: null });
  expect(beginSource(SOURCE, [gone], null).connectionId).toBeNull();
});
