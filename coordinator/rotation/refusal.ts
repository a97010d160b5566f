/** A step that may not be done now: one sentence that says why, that nothing was changed, and what to do. */
export class RotationRefusal extends Error {
  override readonly name = "RotationRefusal";

  constructor(why: string) {
    super(`${why}. Nothing was changed`);
  }
}
