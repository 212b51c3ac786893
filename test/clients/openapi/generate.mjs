// Generates a TypeScript client with @hey-api/openapi-ts: node generate.mjs DOCUMENT FOLDER
//
// It needs the API of the TypeScript compiler, which TypeScript 7 does not have, so it gets TypeScript 6. This file is
// JavaScript because the package's types need that API, too.

import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-6" : specifier, context),
});
const { createClient } = await import("@hey-api/openapi-ts");
const [input = "", path = ""] = process.argv.slice(2);
await createClient({ input, output: { path, module: { extension: ".ts" } }, logs: { level: "error" } });
