/** What the members of a line must be. */

export interface Rule {
  /** Completes "`name` is not …". */
  readonly is: string;
  holds(value: unknown): boolean;
}

export type Shape = Readonly<Record<string, Rule>>;

export const TEXT: Rule = { is: "a text of 1 to 1024 characters", holds: (value) => isText(value, 1024) };
export const WORDS: Rule = { is: "a text", holds: (value) => typeof value === "string" };
export const TIME: Rule = { is: "a number of milliseconds", holds: (value) => isNumber(value) && value >= 0 };
export const AMOUNT: Rule = { is: "a number of at least 0", holds: (value) => isNumber(value) && value >= 0 };
export const WHOLE: Rule = {
  is: "an integer of at least 0",
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
export const POSITIVE: Rule = {
  is: "an integer of at least 1",
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
};
export const SHA256: Rule = {
  is: "a SHA-256 in lower-case hexadecimal",
  holds: (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
};
export const TIMESTAMP: Rule = {
  is: "a time in UTC such as 2026-01-31T23:59:59",
  holds: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/.test(value),
};
export const OBJECT: Rule = { is: "an object", holds: isObject };

export function oneOf(values: readonly string[]): Rule {
  return { is: `one of ${values.join(", ")}`, holds: (value) => values.includes(value as string) };
}

export function optional({ is, holds }: Rule): Rule {
  return { is, holds: (value) => value === undefined || holds(value) };
}

export function nullable({ is, holds }: Rule): Rule {
  return { is: `${is} or null`, holds: (value) => value === null || holds(value) };
}

export function listOf({ is, holds }: Rule): Rule {
  return { is: `a list, each ${is}`, holds: (value) => Array.isArray(value) && value.every(holds) };
}

export function shaped(shape: Shape): Rule {
  const wrong = (value: unknown) => (isObject(value) ? wrongMember(value, shape) : "");
  return { is: "an object as documented", holds: (value) => wrong(value) === null };
}

/** What is wrong with the first member that is not as `shape` has it; null where all are. */
export function wrongMember(of: Readonly<Record<string, unknown>>, shape: Shape): string | null {
  for (const [name, rule] of Object.entries(shape)) {
    if (!rule.holds(of[name])) return `\`${name}\` is ${of[name] === undefined ? "missing" : `not ${rule.is}`}`;
  }
  return null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown, charactersMax: number): boolean {
  return typeof value === "string" && value.length > 0 && value.length <= charactersMax;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
