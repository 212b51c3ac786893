import document from "../../../gen/openapi.json" with { type: "json" };

/** Describes every RPC as OpenAPI 3.1. `npm run generate` writes it from the proto files. */
export const openApiDocument: object = document;
