import type { StoreChangedError } from "../../store/kv.ts";

export interface ChangedStoreDeps {
  /** Null while the store is the one that was known. */
  readonly storeChanged: () => StoreChangedError | null;
}
