import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressedAssets } from "./compressed-assets.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressedAssets()],
  build: {
    outDir: "dist",
    target: "es2022",
    // No file as a data: URL: the policy of the pages allows images alone from there.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
