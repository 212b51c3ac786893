import type { DescFile, DescMethod } from "@bufbuild/protobuf";
import { descriptionOf } from "./descriptions.ts";
import type { JsonSchema } from "./scalars.ts";
import { reference, schemasOf } from "./schemas.ts";

/** The OpenAPI 3.1 document of every RPC but streams: JSON over POST, as in the Connect protocol. */
export function openApiDocument(files: readonly DescFile[], version: string) {
  const services = files.flatMap((file) => file.services).toSorted((a, b) => compare(a.typeName, b.typeName));
  const methods = services.flatMap((service) => service.methods).filter(({ methodKind }) => methodKind === "unary");
  return {
    openapi: "3.1.1",
    info: {
      title: "Authorization service",
      version,
      summary: "Stores and answers who holds which roles, in which project, in which organization.",
      description:
        "Every RPC is a POST with a JSON body. Send a personal access token or a JWT as `Authorization: Bearer …`, and " +
        "`Connect-Protocol-Version: 1`. An unknown field is refused, so a misspelled filter never widens a list.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The server this document comes from" }],
    security: [{ token: [] }],
    tags: services.map((service) => ({ name: service.name, description: descriptionOf(service) })),
    paths: Object.fromEntries(methods.map((method) => [`/${method.parent.typeName}/${method.name}`, pathOf(method)])),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      parameters: { protocolVersion, timeout },
      schemas: { ...schemasOf(methods), Error: errorSchema },
      responses: {
        Error: {
          description: "Why the request failed. The HTTP status follows from the code.",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      },
    },
  };
}

function pathOf(method: DescMethod) {
  const content = (of: DescMethod["input"]) => ({ "application/json": { schema: reference(of) } });
  return {
    post: {
      operationId: method.localName,
      tags: [method.parent.name],
      description: descriptionOf(method),
      parameters: [{ $ref: "#/components/parameters/protocolVersion" }, { $ref: "#/components/parameters/timeout" }],
      requestBody: { required: true, content: content(method.input) },
      responses: {
        "200": { description: "Success", content: content(method.output) },
        default: { $ref: "#/components/responses/Error" },
      },
    },
  };
}

const protocolVersion = {
  name: "Connect-Protocol-Version",
  in: "header",
  required: true,
  schema: { type: "string", const: "1" },
};

const timeout = {
  name: "Connect-Timeout-Ms",
  in: "header",
  description: "How long you wait for the answer, in milliseconds. After that, the request is canceled.",
  schema: { type: "integer", minimum: 0 },
};

const errorSchema: JsonSchema = {
  type: "object",
  properties: {
    code: { type: "string", description: "Connect's code, such as `invalid_argument`." },
    message: {
      type: "string",
      description: "Says what was wrong, for people. It may change; use the reason in programs.",
    },
    details: {
      type: "array",
      items: {
        type: "object",
        properties: {
          type: {
            type: "string",
            description:
              "`google.rpc.ErrorInfo` for a refusal with a reason, `buf.validate.Violations` for broken rules.",
          },
          value: { type: "string", description: "The detail as protobuf, in Base64 without padding." },
          debug: {
            type: "object",
            description: "The detail as JSON. An ErrorInfo has `reason`, `domain` and `metadata`.",
            additionalProperties: true,
          },
        },
        required: ["type", "value"],
      },
    },
  },
  required: ["code"],
};

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
