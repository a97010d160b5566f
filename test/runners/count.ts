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

export function sentence({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

const SENTENCE = /^(\d+) passed, (\d+) failed, (\d+) skipped$/gm;

/** The last such sentence that stands alone on a line; null where there is none. */
export function countIn(text: string): Count | null {
  const last = [...text.matchAll(SENTENCE)].at(-1);
  if (last === undefined) return null;
  const [, passed, failed, skipped] = last.map(Number) as [number, number, number, number];
  return { passed, failed, skipped };
}
