// The page is built into dist/web, with the hash of its content in every name. Nothing is inlined:
// its policy lets neither a style nor a script run that is not a file of our own.
import { resolve } from "node:path";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: resolve(import.meta.dirname, "web"),
  publicDir: false,
  plugins: [react(), tailwind()],
  build: {
    outDir: resolve(import.meta.dirname, "dist/web"),
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A chunk that is loaded later says itself what it needs; no size is worth a warning on loopback.
    chunkSizeWarningLimit: 1_000,
  },
});
