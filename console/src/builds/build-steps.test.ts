import { expect, test } from "vitest";
import { BuildSteps, matchingSteps } from "./build-steps.ts";

const LOG = `[elastic] fetching the source, 9 bytes
#1 [internal] load build definition from Dockerfile
#1 DONE 0.0s

#5 [build 2/3] RUN cargo build
#5 CACHED

#6 [build 3/3] RUN make
#7 [other 1/1] RUN true
#6 0.051 first
#7 DONE 1.5s
#6 12.30 second #6 DONE 1s
#6 ERROR: process "make" did not complete successfully: exit code: 2
------
 > [build 3/3] RUN make:
[elastic] failed: process "make"
`;

function stepsOf(text: string, size = text.length) {
  const steps = new BuildSteps();
  for (let at = 0; at < text.length; at += size) steps.add(text.slice(at, at + size));
  return steps.steps();
}

test("takes a log apart into steps, however it is cut", () => {
  const steps = stepsOf(LOG);
  expect(steps.map(({ number, name, state, seconds }) => [number, name, state, seconds])).toEqual([
    [null, "", "done", null],
    [1, "[internal] load build definition from Dockerfile", "done", 0],
    [5, "[build 2/3] RUN cargo build", "cached", null],
    [6, "[build 3/3] RUN make", "failed", null],
    [7, "[other 1/1] RUN true", "done", 1.5],
    [null, "", "done", null],
  ]);
  expect(steps[3]?.lines).toEqual([
    "first",
    "second #6 DONE 1s",
    'ERROR: process "make" did not complete successfully: exit code: 2',
  ]);
  for (const size of [1, 7, 64]) expect(stepsOf(LOG, size)).toEqual(steps);
});

test("keeps the end of a step that writes much", () => {
  const lines = Array.from({ length: 2_500 }, (_, at) => `#1 0.1 line ${at}\n`).join("");
  const [step] = stepsOf(`#1 [1/1] RUN yes\n${lines}`);
  expect([step?.lines.length, step?.cut, step?.lines.at(-1)]).toEqual([2_000, 500, "line 2499"]);
});

test("finds lines and steps by their text, in any case", () => {
  const steps = stepsOf(LOG);
  expect(matchingSteps(steps, " FIRST ").map(({ number, lines }) => [number, lines])).toEqual([[6, ["first"]]]);
  expect(matchingSteps(steps, "cargo").map(({ number }) => number)).toEqual([5]);
  expect(matchingSteps(steps, "")).toBe(steps);
});
