/** How the tests of one runner ended. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NONE: Count = { passed: 0, failed: 0, skipped: 0 };

export function add(one: Count, other: Count): Count {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

/** A runner that executed no test has failed: a gate that passes empty is worse than none. */
export function atLeastOne(count: Count): Count {
  return count.passed + count.failed === 0 ? { ...count, failed: 1 } : count;
}

/** A runner whose program ended with an error has failed, whatever it printed. */
export function withExit(count: Count, code: number | null): Count {
  return { ...count, failed: count.failed === 0 && code !== 0 ? 1 : count.failed };
}

export function sentence({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
