// Writes openapi.json: buf runs it as a plugin of `npm run generate` (buf.gen.yaml), so that it gets the comments of
// the proto files, too.

import { createEcmaScriptPlugin, runNodeJs } from "@bufbuild/protoplugin";
import manifest from "../../package.json" with { type: "json" };
import { openApiDocument } from "./document.ts";

runNodeJs(
  createEcmaScriptPlugin({
    name: "protoc-gen-openapi",
    version: manifest.version,
    generateTs(schema) {
      const document = openApiDocument(schema.files, manifest.version);
      schema.generateFile("openapi.json").print(JSON.stringify(document, null, 2));
    },
  }),
);
