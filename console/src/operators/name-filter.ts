/** What the lists of users and teams are filtered by, as it stands in the address. */

/** As `GET /v1/operators/users` has it. */
export interface NameFilter {
  readonly name?: string;
  readonly page?: number;
}

const NAME_LENGTH_MAX = 100;
const PAGE_MAX = 100_000;

/** What is not understood is left out: anybody can write an address. */
export function readNameFilter({ name, page }: Readonly<Record<string, unknown>>): NameFilter {
  return known<NameFilter>({ name: textOf(name, NAME_LENGTH_MAX), page: pageOf(page) });
}

/** Without the members that are undefined. */
export function known<T extends object>(filter: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as T;
}

export function textOf(value: unknown, lengthMax: number): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= lengthMax ? value : undefined;
}

/** Undefined for the first page, so that it has one address. */
export function pageOf(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 1 && Number(value) <= PAGE_MAX ? Number(value) : undefined;
}
