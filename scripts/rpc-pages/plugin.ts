// Writes docs/reference/rpc/, one page for each RPC: buf runs it as a plugin of `npm run generate` (buf.gen.yaml).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createEcmaScriptPlugin, runNodeJs } from "@bufbuild/protoplugin";
import manifest from "../../package.json" with { type: "json" };
import { rpcPage } from "./page.ts";
import { readErrors, readExamples } from "./sources.ts";

const reference = (page: string) => readFileSync(join(import.meta.dirname, "../../docs/reference", page), "utf8");

runNodeJs(
  createEcmaScriptPlugin({
    name: "protoc-gen-rpc-pages",
    version: manifest.version,
    generateTs(schema) {
      const examples = readExamples(reference("rpcs.md"));
      const errors = readErrors(reference("errors.md"));
      for (const method of schema.files.flatMap((file) => file.services).flatMap((service) => service.methods)) {
        const name = method.name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
        schema.generateFile(`${name}.md`).print(rpcPage(method, examples.get(method.name), errors));
      }
    },
  }),
);
