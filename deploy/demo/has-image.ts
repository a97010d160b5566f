/** Whether an engine has an image. */
import Docker from "dockerode";

const NOT_FOUND = 404;

export async function hasImage(engineSocket: string, reference: string): Promise<boolean> {
  try {
    await new Docker({ socketPath: engineSocket }).getImage(reference).inspect();
    return true;
  } catch (error) {
    if ((error as { readonly statusCode?: number }).statusCode === NOT_FOUND) return false;
    throw error;
  }
}
