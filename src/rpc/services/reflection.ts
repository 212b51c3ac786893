import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import type {
  ServerReflection,
  ServerReflectionRequest,
  ServerReflectionResponseSchema,
} from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { shorten } from "../shorten.ts";
import type { DescribedFiles } from "./described-files.ts";

type Described = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]>;

/** gRPC's reflection: describes the services to tools that have no .proto files. */
export function reflection(files: DescribedFiles): ServiceImpl<typeof ServerReflection> {
  return {
    async *serverReflectionInfo(requests) {
      const sent = new Set<string>();
      for await (const request of requests) {
        const messageResponse = answerTo(request, files, sent);
        yield { validHost: request.host, originalRequest: request, messageResponse };
      }
    },
  };
}

function answerTo(
  { messageRequest: asked }: ServerReflectionRequest,
  files: DescribedFiles,
  sent: Set<string>,
): Described {
  const file = (name: string | undefined, what: string): Described =>
    name === undefined || !files.has(name)
      ? notFound(what)
      : {
          case: "fileDescriptorResponse",
          value: { fileDescriptorProto: files.withNeeded(name, sent) },
        };
  switch (asked.case) {
    case "listServices":
      return { case: "listServicesResponse", value: { service: files.services.map((name) => ({ name })) } };
    case "fileByFilename":
      return file(asked.value, `file ${asked.value}`);
    case "fileContainingSymbol":
      return file(files.declaring(asked.value), `symbol ${asked.value}`);
    case "fileContainingExtension": {
      const { containingType, extensionNumber } = asked.value;
      const name = files.extensionsOf(containingType)?.get(extensionNumber);
      return file(name, `extension ${extensionNumber} of ${containingType}`);
    }
    case "allExtensionNumbersOfType": {
      const extensions = files.extensionsOf(asked.value);
      if (extensions === undefined) return notFound(`message ${asked.value}`);
      const extensionNumber = [...extensions.keys()].toSorted((a, b) => a - b);
      return { case: "allExtensionNumbersResponse", value: { baseTypeName: asked.value, extensionNumber } };
    }
    case undefined:
      throw new ConnectError("the request asks for nothing", Code.InvalidArgument);
  }
}

function notFound(what: string): Described {
  return { case: "errorResponse", value: { errorCode: Code.NotFound, errorMessage: shorten(`there is no ${what}`) } };
}
