import { gzipSync } from "node:zlib";
import document from "../../gen/openapi.json" with { type: "json" };
import { type ConsoleFiles, representation } from "../console/console-files.ts";

const body = Buffer.from(JSON.stringify(document));

/**
 * Every RPC as OpenAPI 3.1, which `npm run generate` writes from the proto files. It is compressed once, when the
 * server starts.
 */
export const openApiFiles: ConsoleFiles = new Map([
  [
    "/openapi.json",
    {
      headers: { "content-type": "application/json", "cache-control": "no-cache" },
      plain: representation(body),
      compressed: new Map([["gzip", representation(gzipSync(body))]]),
    },
  ],
]);
