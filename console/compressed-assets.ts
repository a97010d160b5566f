/** Puts the compressed form of each file next to it, so that the coordinator sends it as it is and compresses nothing. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSED = /\.(css|js|svg)$/;

export function compressedAssets(): Plugin {
  return {
    name: "compressed-assets",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!COMPRESSED.test(file.fileName)) continue;
          const bytes = Buffer.from(file.type === "chunk" ? file.code : file.source);
          this.emitFile({ type: "asset", fileName: `${file.fileName}.br`, source: brotliCompressSync(bytes) });
          this.emitFile({ type: "asset", fileName: `${file.fileName}.gz`, source: gzipSync(bytes, { level: 9 }) });
        }
      },
    },
  };
}
