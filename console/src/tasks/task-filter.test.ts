import { expect, test } from "vitest";
import { readTaskFilter } from "./task-filter.ts";

test("reads what a link says, and leaves out what is malformed", () => {
  const id = "0".repeat(32);
  expect(readTaskFilter({ page: 3, phase: "failed", service_id: id })).toEqual({
    page: 3,
    phase: "failed",
    service_id: id,
  });
  const malformed = [{}, { page: -1, phase: "lost", service_id: `${id}'` }, { page: "2", phase: 1, service_id: null }];
  for (const search of malformed)
    expect(readTaskFilter(search)).toEqual({ page: undefined, phase: undefined, service_id: undefined });
});
