import type { DescMessage } from "@bufbuild/protobuf";
import { createContextValues, type Interceptor } from "@connectrpc/connect";
import {
  createAsyncIterable,
  readAllBytes,
  type UniversalHandler,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { plain } from "./error-response.ts";
import { codeAndReason, type Log, logOf, type Observer, type Outcome, observationOf, observe } from "./observer.ts";

/**
 * Tells the observer of every answer of an RPC, whoever gives it: the RPC, the gate, the deadline, or Connect itself.
 * That is why code and reason are read from the answer.
 */
export function withObservation(handler: UniversalHandler, observer: Observer, log: Log): UniversalHandler {
  const rpc = `${handler.service.typeName}/${handler.method.name}`;
  const answer = async (request: UniversalServerRequest): Promise<UniversalServerResponse> => {
    const contextValues = request.contextValues ?? createContextValues();
    const observation = observer.begin(rpc, request.header, logOf(contextValues) ?? log);
    observe(contextValues, observation);
    let outcome: Outcome = { code: "internal", reason: undefined, status: 500 };
    try {
      const response = await observation.run(() => handler({ ...request, contextValues }));
      if (response.status === 200) {
        outcome = { code: "ok", reason: undefined, status: 200 };
        return response;
      }
      const bytes = await readAllBytes(response.body ?? createAsyncIterable([]), Number.MAX_SAFE_INTEGER);
      outcome = { ...readError(plain(response, bytes)), status: response.status };
      return { ...response, body: createAsyncIterable([bytes]) };
    } finally {
      observation.end(outcome);
    }
  };
  return Object.assign(answer, handler);
}

/** Notes how many rows a list answers. Lists have a message `pagination` and one repeated field. */
export const countRows: Interceptor = (next) => async (request) => {
  const response = await next(request);
  const observation = observationOf(request.contextValues);
  if (observation === undefined || response.stream) return response;
  const rows = rowsField(response.method.output);
  if (rows !== undefined) {
    observation.rows = (response.message as unknown as Record<string, unknown[]>)[rows]?.length;
  }
  return response;
};

function rowsField({ field, fields }: DescMessage): string | undefined {
  if (field.pagination === undefined) return undefined;
  return fields.find(({ fieldKind }) => fieldKind === "list")?.localName;
}

function readError(bytes: Uint8Array): { code: string; reason: string | undefined } {
  if (bytes.byteLength === 0) return { code: "unknown", reason: undefined };
  return codeAndReason(JSON.parse(Buffer.from(bytes).toString()));
}
