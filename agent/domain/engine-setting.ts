/** `auto`: the first socket that responds; `none`: no containers. */
export type EngineSetting =
  | { readonly kind: "auto" }
  | { readonly kind: "none" }
  | { readonly kind: "socket"; readonly path: string };
