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
  const file = (name: string, what: string): Described => {
    const fileDescriptorProto = files.withNeeded(name, sent);
    if (fileDescriptorProto.length > 0) return { case: "fileDescriptorResponse", value: { fileDescriptorProto } };
    return failed(Code.NotFound, `there is no ${what}`);
  };
  switch (asked.case) {
    case "listServices":
      return { case: "listServicesResponse", value: { service: files.services.map((name) => ({ name })) } };
    case "fileByFilename":
      return file(asked.value, `file ${asked.value}`);
    case "fileContainingSymbol":
      return file(files.declaring(asked.value) ?? "", `symbol ${asked.value}`);
    case "fileContainingExtension":
    case "allExtensionNumbersOfType":
      // Tools do without: the files of extensions come with the files that use them.
      return failed(Code.Unimplemented, "extensions can't be looked up");
    case undefined:
      throw new ConnectError("the request asks for nothing", Code.InvalidArgument);
  }
}

function failed(errorCode: Code, errorMessage: string): Described {
  return { case: "errorResponse", value: { errorCode, errorMessage: shorten(errorMessage) } };
}
