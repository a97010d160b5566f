/**
 * What follows a build: its image is deployed, and its state is reported to the source host at the commit.
 *
 *   waiting ──built──▶ deploying ──▶ released
 *      │                   └──its roll-out failed, or another took its place──▶ failed | superseded
 *      └──not built, or a newer commit was pushed──▶ failed | superseded
 */
export type ReleaseState =
  | { readonly kind: "waiting" }
  | { readonly kind: "deploying"; readonly deploymentId: string }
  | { readonly kind: "released"; readonly deploymentId: string }
  /** `deploymentId` is null where it never came to a deployment. */
  | { readonly kind: "failed"; readonly deploymentId: string | null; readonly message: string }
  | { readonly kind: "superseded"; readonly deploymentId: string | null; readonly message: string };

/** As source hosts name the state of a check of a commit. */
export type CommitState = "pending" | "success" | "failure" | "error";

export interface PushOrigin {
  /** Of the source host. */
  readonly deliveryId: string;
  /** That was pushed; what is built is the head of the branch when that is read. */
  readonly commit: string;
}

export interface Release {
  /** The push that began it; null for what was requested here. */
  readonly push: PushOrigin | null;
  readonly state: ReleaseState;
  /** The last that the source host has. */
  readonly reported: CommitState | null;
}

export function newRelease(push: PushOrigin | null): Release {
  return { push, state: { kind: "waiting" }, reported: null };
}

export function isReleasing({ state }: Pick<Release, "state">): boolean {
  return state.kind === "waiting" || state.kind === "deploying";
}

/** What the source host is to show. */
export function commitState({ state }: Pick<Release, "state">): CommitState {
  switch (state.kind) {
    case "waiting":
    case "deploying":
      return "pending";
    case "released":
      return "success";
    case "failed":
      return "failure";
    case "superseded":
      return "error";
  }
}
