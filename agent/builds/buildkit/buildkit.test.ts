import { expect, test } from "vitest";
import { withBuiltInFrontEnd } from "./build-file-text.ts";
import { clientOutput } from "./client-output.ts";
import { explainFailure } from "./explain-failure.ts";

test.each([
  ["# syntax=docker/dockerfile:1\nFROM x", "#\nFROM x"],
  ["#syntax = docker.io/docker/dockerfile:1.7-labs\n# escape=`\nFROM x", "# escape=`\n#\nFROM x"],
  ["# syntax=my/front-end:1\nFROM x", "# syntax=my/front-end:1\nFROM x"],
  ["FROM x\n# syntax=docker/dockerfile:1", "FROM x\n# syntax=docker/dockerfile:1"],
  ["# a comment\n# syntax=docker/dockerfile:1\n", "# a comment\n# syntax=docker/dockerfile:1\n"],
])("reads %j with the front end that is built in", (text, expected) => {
  expect(withBuiltInFrontEnd(text)).toBe(expected);
});

test("passes the build's lines on and leaves the client's own warnings out, however they are cut", () => {
  const text =
    'time="x" level=warning msg="mine"\n#1 a\ntime="x" level=warning msg="mine"\n#1 time="x" level=warning\n#2 é';
  for (const size of [1, 2, 7, 500]) {
    const bytes = Buffer.from(text);
    const passed: Buffer[] = [];
    const output = clientOutput((chunk) => passed.push(Buffer.from(chunk)));
    for (let at = 0; at < bytes.length; at += size) output.write(bytes.subarray(at, at + size));
    output.end();
    expect(Buffer.concat(passed).toString()).toBe('#1 a\n#1 time="x" level=warning\n#2 é');
  }
});

const STEP = `#6 ERROR: process "/bin/sh -c false" did not complete successfully: exit code: 1
------
 > [2/2] RUN false:
------
Dockerfile:2
--------------------
   1 |     FROM busybox
   2 | >>> RUN false
--------------------
error: failed to solve: process "/bin/sh -c false" did not complete successfully: exit code: 1
`;
const calm = { memoryKills: 0, diskIsFull: false };

test("explains a failed step by its line and BuildKit's own sentence", () => {
  expect(explainFailure(STEP, calm)).toMatchObject({
    reason: "build_failed",
    line: 2,
    message: 'process "/bin/sh -c false" did not complete successfully: exit code: 1',
  });
});

test("blames memory only where the kernel killed a process of the build, and the step or BuildKit ended by it", () => {
  const killed = STEP.replaceAll("exit code: 1", "exit code: 137");
  expect(explainFailure(killed, { ...calm, memoryKills: 1 }).reason).toBe("out_of_memory");
  expect(explainFailure(killed, calm).reason).toBe("build_failed");
  expect(explainFailure(STEP, { ...calm, memoryKills: 1 }).reason).toBe("build_failed");
  expect(explainFailure("#5 0.049 y\n", { ...calm, memoryKills: 1 }).reason).toBe("out_of_memory");
});

test("blames a full disk by what the disk or the step says", () => {
  expect(explainFailure(STEP, { ...calm, diskIsFull: true }).reason).toBe("disk_full");
  expect(explainFailure(`write /x: no space left on device\n${STEP}`, calm).reason).toBe("disk_full");
});

test("names a base image that cannot be had", () => {
  const tail =
    "error: failed to solve: none:1: failed to resolve source metadata for docker.io/library/none:1: not found\n";
  expect(explainFailure(tail, calm)).toMatchObject({ reason: "base_image_unavailable", line: null });
});

test("has a sentence where BuildKit has none", () => {
  expect(explainFailure("", calm).message).not.toBe("");
});
