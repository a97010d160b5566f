/** What a team's volumes take together, as their records say: a file of two of them counts twice. */
import type { View } from "../../store/store.ts";

export function bytesOfVolumes({ volumes }: Pick<View, "volumes">, teamId: string): number {
  let bytes = 0;
  for (const { value } of volumes.of(teamId)) bytes += value.bytes;
  return bytes;
}
