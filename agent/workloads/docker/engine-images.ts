/** The images of this machine's engine that the agent may evict. */
import type Docker from "dockerode";
import type { EvictableStore } from "../../domain/evictable.ts";
import type { ImageLedger } from "../../images/image-ledger.ts";
import type { Engine } from "./engine.ts";

export function engineImages(engine: () => Engine | null, ledger: Pick<ImageLedger, "evictable">): EvictableStore {
  return {
    folder: () => engine()?.rootFolder ?? null,
    evictable: async () => {
      const found = engine();
      return found === null ? [] : ledger.evictable((image) => removeImage(found.docker, image));
    },
  };
}

/** Rejects where a container has it, also one that has ended. One that is gone already counts as removed. */
async function removeImage(docker: Docker, image: string): Promise<void> {
  await docker
    .getImage(image)
    .remove()
    .catch((error: { readonly statusCode?: number }) => {
      if (error.statusCode !== 404) throw error;
    });
}
