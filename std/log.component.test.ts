import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

function output(program: string): readonly string[] {
  const source = `import { createLog } from "./log.ts"; const log = createLog({ name: "t", level: "info" }); ${program}`;
  const child = spawnSync(process.execPath, ["--input-type=module", "--eval", source], { cwd: import.meta.dirname });
  return child.stdout.toString("utf8").trim().split("\n");
}

it("writes every line before an orderly exit", () => {
  const lines = output('for (let i = 0; i < 5000; i++) log.info({ i }, "line"); process.exit(0);');
  expect(lines.map((line) => JSON.parse(line).i)).toEqual([...Array(5000).keys()]);
});

it("writes what came before an uncaught error", () => {
  const lines = output('log.info("last line"); throw new Error("broken");');
  expect(JSON.parse(lines.at(-1) ?? "").msg).toBe("last line");
});

it("writes nothing below its level", () => {
  expect(output('log.debug("quiet"); log.info("loud");').map((line) => JSON.parse(line).msg)).toEqual(["loud"]);
});
