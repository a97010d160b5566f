/** By what etcd knows a coordinator, and a coordinator knows etcd. */
export interface EtcdAccess {
  readonly files: EtcdFiles;
  /** As whom it logs in; null for nobody. */
  readonly user: string | null;
}

/** Paths; null where the setting is left out. */
export interface EtcdFiles {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
  readonly passwordFile: string | null;
}
