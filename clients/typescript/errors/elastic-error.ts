/** What every error of this client is, but for those of an aborted signal and of arguments that no type allows. */
export class ElasticError extends Error {
  override readonly name: string = "ElasticError";
}
