/** What each part of the demo stands on. */
import type { Places } from "./places.ts";
import type { RestartRecord } from "./restart-record.ts";

export interface Ground {
  readonly places: Places;
  readonly restart: RestartRecord;
  /** Where programs are looked for. */
  readonly path: string;
}
