/** Why a backup is not taken, or not restored: a sentence with what to do. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
