/** The port by which a deployment's image becomes one that cannot change under its name. */

export type ImageResolution =
  | {
      readonly kind: "resolved";
      /** `<registry>/<repository>@sha256:<hex>`, or `builtin:<name>`. */
      readonly image: string;
      /** The tag that was requested; null for a digest and for builtin provers. */
      readonly tag: string | null;
    }
  | {
      readonly kind: "refused";
      readonly code: "image_invalid" | "image_not_found" | "registry_not_allowed";
      readonly detail: string;
    }
  /** The registry did not respond: another time it may. */
  | { readonly kind: "unavailable"; readonly detail: string };

/** For a deployment of this team. */
export type ResolveImage = (image: string, teamId: string) => Promise<ImageResolution>;
