/** Standard output, for what is lost unless it arrives: resolves once the system has all of it, which `console.log` does not report. */
import { constants, fdatasync, fstatSync, write } from "node:fs";
import { promisify } from "node:util";

const STDOUT = 1;

/** The text was not written, or not all of it. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/** Rejects with an OutputError. */
export async function writeOutput(text: string): Promise<void> {
  const bytes = Buffer.from(text);
  try {
    if (isStreamed()) await writeStream(bytes);
    else await writeFile(bytes);
  } catch (error) {
    throw new OutputError(`standard output cannot be written (${(error as Error).message})`);
  }
}

/** A pipe, a socket or a terminal: writing there may have to wait for its reader. */
function isStreamed(): boolean {
  const type = fstatSync(STDOUT).mode & constants.S_IFMT;
  return type === constants.S_IFIFO || type === constants.S_IFSOCK || process.stdout.isTTY === true;
}

function writeStream(bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    // A stream reports a failed write in both ways, and without a listener the event ends the process.
    process.stdout.once("error", reject);
    process.stdout.write(bytes, (error) => {
      if (error) return reject(error);
      process.stdout.off("error", reject);
      resolve();
    });
  });
}

/** Node's own stream drops what a full disk did not take of a write. */
async function writeFile(bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await promisify(write)(STDOUT, bytes, at);
    at += bytesWritten;
  }
  if (fstatSync(STDOUT).isFile()) await promisify(fdatasync)(STDOUT);
}
