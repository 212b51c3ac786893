import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compression } from "vite-plugin-compression2";

/** Builds the console into console/dist, which the server serves. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compression({ algorithms: ["gzip", "brotliCompress"], include: /\.(js|css|svg)$/ })],
  build: {
    target: "es2023",
    // As files of their own: what is written into the page would break its Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // For `npx vite console`: the page is made anew with every change, and the service runs beside it.
  server: { proxy: { "^/service\\.": process.env.SERVICE_URL ?? "http://127.0.0.1:8080" } },
});
