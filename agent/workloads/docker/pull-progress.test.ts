import { expect, test } from "vitest";
import { PullProgress } from "./pull-progress.ts";

function after(...events: readonly object[]): [number, number] {
  const progress = new PullProgress();
  for (const event of events) progress.take(event);
  return [progress.doneBytes, progress.totalBytes];
}

const downloading = (id: string, current: number, total: number) => ({
  id,
  status: "Downloading",
  progressDetail: { current, total },
});

test("layers that come at the same time are added up", () => {
  expect(after(downloading("a", 10, 100), downloading("b", 5, 50), downloading("a", 40, 100))).toEqual([45, 150]);
});

test("counts a layer that has come completely, and changes nothing by its unpacking", () => {
  const extracting = { id: "a", status: "Extracting", progressDetail: { current: 3, total: 900 } };
  const complete = { id: "a", status: "Download complete", progressDetail: {} };
  expect(after(downloading("a", 10, 100), complete, extracting, { id: "a", status: "Pull complete" })).toEqual([
    100, 100,
  ]);
});

test("what was here already counts nothing", () => {
  expect(after({ id: "a", status: "Already exists" }, { id: "latest", status: "Pulling from p" })).toEqual([0, 0]);
  expect(after({ id: "a", status: "Download complete" }, { status: "Digest: sha256:0" })).toEqual([0, 0]);
});

test("a layer whose size is not known yet counts what has come", () => {
  expect(after({ id: "a", status: "Downloading", progressDetail: { current: 7 } })).toEqual([7, 7]);
});

test("it says whether it moved", () => {
  const progress = new PullProgress();
  expect(progress.take(downloading("a", 1, 2))).toBe(true);
  expect(progress.take({ id: "a", status: "Download complete" })).toBe(true);
  expect(progress.take({ id: "a", status: "Pull complete" })).toBe(false);
});
