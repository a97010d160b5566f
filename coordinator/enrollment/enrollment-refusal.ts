/** Why a machine gets no certificate: a kind for the protocol, and a sentence that says what to do. */
export type RefusalKind = "denied" | "invalid" | "busy";

export class EnrollmentRefusal extends Error {
  override readonly name = "EnrollmentRefusal";
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
