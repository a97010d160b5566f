import { readFileSync } from "node:fs";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { ofRelease, releasedCommit } from "./last-release.ts";

const COMMITS = ["a".repeat(40), "b".repeat(40)] as const;

test("finds the commit of the newest version that was released", () => {
  const [newer, older] = COMMITS;
  const versions = `## [0.2.0] - 2026-12-01\n\nAt commit \`${newer}\`.\n\n## [0.1.0] - 2026-11-26\n\nThe first, commit \`${older}\`.\n`;
  expect(releasedCommit(`# Changelog\n\n## [Unreleased]\n\n- Since commit \`${older}\`.\n\n${versions}`)).toBe(newer);
  expect(() => releasedCommit("# Changelog\n\n## [Unreleased]\n")).toThrow("names no commit");
  expect(releasedCommit(readFileSync(inRepository("CHANGELOG.md"), "utf8"))).toMatch(/^[0-9a-f]{40}$/);
});

test("runs a program out of the release's tree, and leaves what is elsewhere", () => {
  const program = {
    name: "p",
    command: "node",
    args: [inRepository("agent", "main.ts"), "run"],
    env: {},
    logFile: "p.log",
  };
  expect(ofRelease(program, "/release").args).toEqual(["/release/agent/main.ts", "run"]);
});
