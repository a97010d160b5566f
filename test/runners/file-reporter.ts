/** Writes how each test file ended and where its time went, for the runner that started vitest. */
import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

export interface TestReport {
  readonly files: readonly FileReport[];
  /** The messages of errors outside any test. */
  readonly errors: readonly string[];
}

export interface FileReport {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly tier: string;
  /** The messages of errors outside any test of the file, as when it could not be loaded. */
  readonly errors: readonly string[];
  /** Milliseconds: starting the process, set-up files, imports with what they transform, and hooks and tests. */
  readonly ms: { readonly prepare: number; readonly setup: number; readonly import: number; readonly tests: number };
  readonly tests: readonly OneTest[];
}

interface OneTest {
  readonly name: string;
  readonly state: string;
  /** The messages of what failed. */
  readonly errors: readonly string[];
}

export class FileReporter implements Reporter {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const report: TestReport = { files: modules.map(fileReport), errors: errors.map(({ message }) => message) };
    writeFileSync(this.#path, JSON.stringify(report));
  }
}

function fileReport(module: TestModule): FileReport {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()];
  return {
    path: module.relativeModuleId,
    tier: module.project.name,
    errors: module.errors().map(({ message }) => message),
    ms: {
      prepare: environmentSetupDuration + prepareDuration,
      setup: setupDuration,
      import: collectDuration,
      tests: duration,
    },
    tests: tests.map((test) => {
      const { state, errors = [] } = test.result();
      return { name: test.fullName, state, errors: errors.map(({ message }) => message) };
    }),
  };
}
