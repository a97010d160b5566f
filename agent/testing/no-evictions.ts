/** Of a driver whose images nobody evicts. */
import type { ImageUse } from "../domain/image-use.ts";

export const NO_EVICTIONS: ImageUse = {
  whenSettled: async () => undefined,
  fetching: async () => undefined,
};
