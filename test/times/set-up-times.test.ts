import { expect, test } from "vitest";
import { timingsIn } from "./set-up-times.ts";

test("reads each step with its seconds", () => {
  expect(timingsIn("building etcd\t34\ninstalling npm packages\t17\n")).toEqual([
    { name: "set-up: building etcd", kind: "phase", seconds: 34 },
    { name: "set-up: installing npm packages", kind: "phase", seconds: 17 },
  ]);
});

test("reads nothing from an empty file", () => {
  expect(timingsIn("")).toEqual([]);
});
