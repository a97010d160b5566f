/** The progress of a push, layer by layer, from what the engine reports. */

/** One event of the engine's stream. */
export interface PushEvent {
  readonly id?: string;
  readonly status?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
  readonly error?: string;
  readonly aux?: { readonly Digest?: string };
}

type LayerState = "waiting" | "pushing" | "pushed" | "present";

export interface Layer {
  readonly id: string;
  readonly state: LayerState;
  readonly doneBytes: number;
  /** 0 while it is not known. */
  readonly totalBytes: number;
}

export interface PushState {
  readonly layers: ReadonlyMap<string, Layer>;
  /** Of the manifest, once the image is complete. */
  readonly digest: string | null;
}

export const NOTHING_PUSHED: PushState = { layers: new Map(), digest: null };

/** An event of no layer changes at most the digest. Numbers of bytes never fall. */
export function afterEvent(state: PushState, event: PushEvent): PushState {
  const digest = event.aux?.Digest ?? state.digest;
  const next = event.id === undefined ? null : stateIn(event.status ?? "");
  if (next === null) return { ...state, digest };
  const id = event.id ?? "";
  const { current = 0, total = 0 } = event.progressDetail ?? {};
  const before = state.layers.get(id) ?? { id, state: "waiting", doneBytes: 0, totalBytes: 0 };
  const totalBytes = Math.max(before.totalBytes, total, current);
  const doneBytes = next === "pushed" ? totalBytes : Math.max(before.doneBytes, current);
  return { digest, layers: new Map(state.layers).set(id, { id, state: next, doneBytes, totalBytes }) };
}

/** Null for what is about no single layer. */
function stateIn(status: string): LayerState | null {
  if (status === "Pushing") return "pushing";
  if (status === "Pushed") return "pushed";
  if (status === "Layer already exists" || status.startsWith("Mounted from")) return "present";
  return status === "Preparing" || status === "Waiting" || status.startsWith("Retrying") ? "waiting" : null;
}

/** What has been sent, and what had not to be. */
export function summary({ layers }: PushState): {
  readonly pushed: number;
  readonly present: number;
  readonly bytes: number;
} {
  const all = [...layers.values()];
  const pushed = all.filter((layer) => layer.state === "pushed");
  return {
    pushed: pushed.length,
    present: all.filter((layer) => layer.state === "present").length,
    bytes: pushed.reduce((sum, layer) => sum + layer.totalBytes, 0),
  };
}
