import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { bundledModules } from "./bundled-modules.ts";
import { compressedAssets } from "./compressed-assets.ts";

const repository = join(import.meta.dirname, "..");

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    compressedAssets(),
    bundledModules(repository, join(repository, ".cache", "console-modules.json")),
  ],
  build: {
    outDir: "dist",
    target: "es2022",
    // No file as a data: URL: the policy of the pages allows images alone from there.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
