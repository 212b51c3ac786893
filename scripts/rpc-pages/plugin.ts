// Writes docs/reference/rpc/, one page for each RPC, and the list of them: buf runs it as a plugin of `npm run generate` (buf.gen.yaml).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createEcmaScriptPlugin, runNodeJs } from "@bufbuild/protoplugin";
import manifest from "../../package.json" with { type: "json" };
import { fileOf, rpcIndex, rpcPage } from "./page.ts";
import { readErrors, readExamples } from "./sources.ts";

const reference = (page: string) => readFileSync(join(import.meta.dirname, "../../docs/reference", page), "utf8");

runNodeJs(
  createEcmaScriptPlugin({
    name: "protoc-gen-rpc-pages",
    version: manifest.version,
    generateTs(schema) {
      const examples = readExamples(reference("rpcs.md"));
      const errors = readErrors(reference("errors.md"));
      const services = schema.files.flatMap((file) => file.services);
      schema.generateFile("index.md").print(rpcIndex(services));
      for (const method of services.flatMap(({ methods }) => methods)) {
        schema.generateFile(fileOf(method)).print(rpcPage(method, examples.get(method.name), errors));
      }
    },
  }),
);
