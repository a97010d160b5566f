/** Whether this program understands the store, with the versions of both. */
import { type Check, fail, ok } from "@elastic/std/check.ts";
import { type StoreMeta, schemaOfStore } from "../store/identity/meta.ts";
import { PROGRAM_SCHEMA, type StoreSchema, whyOutgrown } from "../store/store-schema.ts";

/** None where no coordinator has started on it. */
export function checkSchema(meta: StoreMeta | null, program: StoreSchema = PROGRAM_SCHEMA): readonly Check[] {
  if (meta === null) return [];
  const store = schemaOfStore(meta);
  const why = whyOutgrown(store, program);
  if (why !== null) return [fail("schema", why, "no coordinator of this version starts on it")];
  const kinds = Object.entries(store.kinds).map(([kind, { version }]) => `, ${kind} ${version}`);
  const found = `the store is of version ${store.version}${kinds.join("")} and takes programs that know ${store.minimum}`;
  return [ok("schema", `${found}; this one knows ${program.version}`)];
}
