/** Writes how each test file ended and where its time went, for the runner that started vitest. */
import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

export interface TestReport {
  readonly files: readonly FileReport[];
  /** Errors outside any test. */
  readonly errors: number;
}

export interface FileReport {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly tier: string;
  /** Errors outside any test of the file, as when it could not be loaded. */
  readonly errors: number;
  /** Milliseconds: starting the process, set-up files, imports with what they transform, and hooks and tests. */
  readonly ms: { readonly prepare: number; readonly setup: number; readonly import: number; readonly tests: number };
  readonly tests: readonly { readonly name: string; readonly state: string }[];
}

export class FileReporter implements Reporter {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const report: TestReport = { files: modules.map(fileReport), errors: errors.length };
    writeFileSync(this.#path, JSON.stringify(report));
  }
}

function fileReport(module: TestModule): FileReport {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()];
  return {
    path: module.relativeModuleId,
    tier: module.project.name,
    errors: module.errors().length,
    ms: {
      prepare: environmentSetupDuration + prepareDuration,
      setup: setupDuration,
      import: collectDuration,
      tests: duration,
    },
    tests: tests.map((test) => ({ name: test.fullName, state: test.result().state })),
  };
}
