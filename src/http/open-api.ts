import { gzipSync } from "node:zlib";
import { type ConsoleFiles, representation } from "../console/console-files.ts";
import { openApiDocument } from "../rpc/door/open-api.ts";

const body = Buffer.from(JSON.stringify(openApiDocument));

/** The OpenAPI document at its path. It is made once, and a client that has it already is told so. */
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
