/** What fetching an image has to do with evicting it. */
export interface ImageUse {
  /** Before the engine is asked for it: resolves once an eviction of it that has begun has ended. */
  whenSettled(image: string): Promise<void>;
  /** Before it is fetched: from now on it is this agent's to evict. */
  fetching(image: string): Promise<void>;
}
