/** Whether an image can be a prover's: what the prover contract and this machine's platform require of it. Pure. */
import { BuildFailure } from "../../domain/build-failure.ts";
import type { ImageLayout } from "./image-layout.ts";

/** Where a prover listens (spec.md, prover container contract). */
const PORT = "8080/tcp";
/** Of the overlay file system, with some left for what an engine adds. */
const LAYERS_MAX = 120;

/** Throws BuildFailure that says what to change. */
export function checkImage(
  { manifest, config, blobs }: Pick<ImageLayout, "manifest" | "config" | "blobs">,
  bytesMax: number,
): void {
  const bytes = imageBytes({ manifest, blobs });
  const layers = blobs.length - 1;
  const { Entrypoint, Cmd, ExposedPorts } = config.config ?? {};
  const ports = Object.keys(ExposedPorts ?? {});
  if (config.os !== "linux" || config.architecture !== "amd64") {
    throw invalid(`it is for ${config.os}/${config.architecture}; machines of the fleet run linux/amd64`);
  }
  if (bytes > bytesMax) throw invalid(`it has ${bytes} bytes compressed; at most ${bytesMax} are taken`);
  if (layers > LAYERS_MAX) throw invalid(`it has ${layers} layers; at most ${LAYERS_MAX} are taken`);
  if ([...(Entrypoint ?? []), ...(Cmd ?? [])].length === 0) {
    throw invalid("it has no ENTRYPOINT and no CMD: name the prover's program in the build file");
  }
  if (ports.length > 0 && !ports.includes(PORT) && !ports.includes("8080")) {
    throw invalid(`it declares ${ports.join(", ")}; a prover listens on port 8080: write EXPOSE 8080, or nothing`);
  }
}

/** Compressed, with its manifest. */
export function imageBytes({ manifest, blobs }: Pick<ImageLayout, "manifest" | "blobs">): number {
  return blobs.reduce((sum, { size }) => sum + size, manifest.size);
}

function invalid(why: string): BuildFailure {
  return new BuildFailure("image_invalid", `the image cannot be deployed: ${why}`);
}
