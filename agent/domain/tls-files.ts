/** The files by which this node shows who it is, and knows the coordinators. */
export interface TlsFiles {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}
