import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");
const UNITS = ["elastic-agent.service", "elastic-coordinator.service"];
const UNIT = read("elastic-agent.service");
const ANALYZE = "/usr/bin/systemd-analyze";
const folder = mkdtempSync(join(tmpdir(), "unit-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Section, name and value of every setting. */
function settings(unit = UNIT): readonly (readonly [string, string, string])[] {
  let section = "";
  return unit.split("\n").flatMap((line) => {
    section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section;
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[section, name, value] as const];
  });
}

function settingOf(name: string): string | undefined {
  return settings().find(([, each]) => each === name)?.[2];
}

test.each(UNITS)("every line of %s is a comment, a section or a setting of one", (name) => {
  const unit = read(name);
  for (const line of unit.split("\n")) expect(line).toMatch(/^$|^#|^\[(Unit|Service|Install)\]$|^[A-Z]\w+=\S/);
  expect(new Set(settings(unit).map(([section]) => section))).toEqual(new Set(["Unit", "Service", "Install"]));
});

const hasAnalyze = existsSync(ANALYZE);
const verified = hasAnalyze ? `${ANALYZE} finds no fault with %s` : `NOT VERIFIED, no ${ANALYZE} on this machine: %s`;

test.each(UNITS)(verified, (name) => {
  if (!hasAnalyze) return console.warn(verified);
  const file = join(folder, name);
  // The program is where it is installed, which is not here.
  const unit = read(name).replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`);
  const problemsOf = (text: string): string => {
    writeFileSync(file, text);
    return spawnSync(ANALYZE, ["verify", "--man=no", file], { encoding: "utf8" }).stderr;
  };
  expect(problemsOf(unit)).toBe("");
  // It reports what is wrong.
  expect(problemsOf(`${unit}\nNoSuchSetting=1\n`)).toContain("NoSuchSetting");
});

test("notices a hanging agent, restarts a failed one, and gives a stop the time that it takes", () => {
  expect([settingOf("Type"), settingOf("NotifyAccess"), settingOf("Restart")]).toEqual(["notify", "main", "always"]);
  const heartbeats = readFileSync(
    join(import.meta.dirname, "..", "..", "agent", "link", "heartbeat-stream.ts"),
    "utf8",
  );
  const [, vouchedForMs = ""] = /VOUCHED_FOR_MS = ([\d_]+)/.exec(heartbeats) ?? [];
  expect(Number(settingOf("WatchdogSec"))).toBeGreaterThan(Number(vouchedForMs.replaceAll("_", "")) / 1000);
  expect(Number(settingOf("TimeoutStopSec"))).toBeGreaterThan(30);
});

test("it writes only its state and what builds have while they run, gains no rights, and keeps its GPUs and loop devices", () => {
  const hardened = ["ProtectSystem", "ProtectHome", "NoNewPrivileges", "StateDirectory", "RuntimeDirectory"];
  expect(hardened.map(settingOf)).toEqual(["strict", "yes", "yes", "elastic-agent", "elastic-builder"]);
  const builder = readFileSync(join(import.meta.dirname, "..", "..", "agent", "builds", "open-builder.ts"), "utf8");
  expect(builder).toContain('"/run/elastic-builder"');
  const names = settings().map(([, name]) => name);
  for (const name of ["PrivateDevices", "DevicePolicy", "ProtectClock"]) expect(names).not.toContain(name);
});
