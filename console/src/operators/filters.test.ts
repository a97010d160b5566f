import { expect, test } from "vitest";
import { readMachineFilter } from "./machine-filter.ts";
import { readNameFilter } from "./name-filter.ts";

test("reads filters from an address, and leaves out what is not understood", () => {
  const filter = { state: "LOST", gpu_type: "H100", label: "zone=a", page: 3 };
  expect(readMachineFilter(filter)).toEqual(filter);
  expect(readMachineFilter({ state: "lost", gpu_type: "", label: { a: 1 }, page: 1 })).toStrictEqual({});
  expect(readMachineFilter({ page: -1, label: "x".repeat(1_000) })).toStrictEqual({});
  expect(readNameFilter({ name: "ada", page: "2" })).toStrictEqual({ name: "ada" });
});
