/** What the installation offers of shells. */
export interface ShellOffer {
  /** What each name stands for, the default first. */
  readonly images: ReadonlyMap<string, string>;
  /** Where clients reach the SSH gateway; null where there is none. */
  readonly address: () => { readonly host: string; readonly port: number } | null;
}
