import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

function end(program: string) {
  const source = `
    import { createLog } from "./log.ts";
    import { logUncaughtErrors } from "./log-uncaught-errors.ts";
    const log = createLog({ name: "t", level: "info" });
    logUncaughtErrors(log);
    setInterval(() => log.info("continues"), 5_000);
    log.info("works");
    ${program}`;
  const child = spawnSync(process.execPath, ["--input-type=module", "--eval", source], { cwd: import.meta.dirname });
  const lines = child.stdout.toString("utf8").trim().split("\n");
  return { status: child.status, lines: lines.map((line) => JSON.parse(line)) };
}

const CASES = {
  "an error that is thrown where nobody catches it": 'setTimeout(() => { throw new Error("odd"); }, 10);',
  "an error event without a listener":
    'const { EventEmitter } = await import("node:events"); new EventEmitter().emit("error", new Error("odd"));',
  "a promise that is rejected and left": 'void Promise.reject(new Error("odd"));',
};

it.each(Object.entries(CASES))("%s is logged with its stack, and the process ends with code 1", (_, program) => {
  const { status, lines } = end(program);
  expect(status).toBe(1);
  expect(lines.map(({ msg }) => msg)).toEqual(["works", expect.stringContaining("must be started again")]);
  expect(lines.at(-1)).toMatchObject({ level: 60, err: { message: "odd", stack: expect.stringContaining("at ") } });
});

it("logs a thrown value that is no error as it is", () => {
  const { status, lines } = end('setTimeout(() => { throw "odd"; }, 10);');
  expect([status, lines.at(-1)]).toEqual([1, expect.objectContaining({ level: 60, err: "odd" })]);
});
