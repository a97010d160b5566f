/**
 * Which versions the store as a whole, and each kind of record, is written in, and which version a program must at least
 * understand: a store may hold newer records that an older program passes over, or refuses for good. Pure.
 */
import { isDeepStrictEqual } from "node:util";
import { ALL_RECORD_KINDS } from "./keys.ts";
import { schemaOf } from "./record-schemas.ts";

export interface SchemaVersions {
  /** The newest that any program has written. */
  readonly version: number;
  /** What a program must at least understand to work with it. */
  readonly minimum: number;
}

export interface StoreSchema extends SchemaVersions {
  /** Of kinds that are beyond version 1. */
  readonly kinds: Readonly<Record<string, SchemaVersions>>;
}

/** What a program writes, and what it demands of others. */
export type ProgramSchema = StoreSchema;

/**
 * Of this program. A version is raised by a change that older programs would misread, a minimum where they must not even pass
 * over what was written. With any of them the store's own version is raised: 0.1.0 looks at that alone, and refuses any but 1.
 */
export const PROGRAM_SCHEMA: ProgramSchema = { version: 1, minimum: 1, kinds: kindsOfProgram() };

function kindsOfProgram(): Readonly<Record<string, SchemaVersions>> {
  const raised = ALL_RECORD_KINDS.map((kind) => [kind, schemaOf(kind).version] as const).filter(([, at]) => at > 1);
  return Object.fromEntries(raised.map(([kind, version]) => [kind, { version, minimum: 1 }]));
}

/** Why this program must not work with the store, and what to do; null where it may. */
export function whyOutgrown(store: StoreSchema, program: ProgramSchema = PROGRAM_SCHEMA): string | null {
  const beyond = [
    ...(store.minimum > program.version ? [demand("the store", store, program.version)] : []),
    ...Object.entries(store.kinds).flatMap(([kind, versions]) => {
      const known = program.kinds[kind]?.version ?? (isKind(kind) ? 1 : 0);
      return versions.minimum > known ? [demand(`records of the kind ${kind}`, versions, known)] : [];
    }),
  ];
  if (beyond.length === 0) return null;
  return (
    `a later version of the coordinator has changed the store: ${beyond.join("; ")}. Nothing was changed by this one. ` +
    "Start that later version here instead; to return to this one, restore a backup from before the upgrade (docs/operators.md, Versions)"
  );
}

function demand(what: string, { version, minimum }: SchemaVersions, known: number): string {
  return `${what} is of version ${version} and takes programs that know ${minimum}, and this one knows ${known}`;
}

function isKind(kind: string): boolean {
  return ALL_RECORD_KINDS.some((known) => known === kind);
}

/** With what this program writes and demands; the same object where that changes nothing. Nothing is ever lowered. */
export function raisedBy(program: ProgramSchema, store: StoreSchema): StoreSchema {
  const kinds = Object.fromEntries(
    Object.entries({ ...store.kinds, ...program.kinds }).map(([kind, versions]) => [
      kind,
      higher(higher(versions, store.kinds[kind]), program.kinds[kind]),
    ]),
  );
  const raised = { ...higher(store, program), kinds };
  const { version, minimum } = store;
  return isDeepStrictEqual(raised, { version, minimum, kinds: store.kinds }) ? store : raised;
}

function higher(one: SchemaVersions, other: SchemaVersions | undefined): SchemaVersions {
  return {
    version: Math.max(one.version, other?.version ?? 0),
    minimum: Math.max(one.minimum, other?.minimum ?? 0),
  };
}
