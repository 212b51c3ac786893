import type { DescMessage } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { readErrorResponse } from "./error-response.ts";
import { codeAndReason, logOf, type Observer, type Outcome, observationOf, observe } from "./observer.ts";
import type { Step } from "./step.ts";

/**
 * Tells the observer of every answer of an RPC, no matter who gives it: the RPC, the gate, the deadline, or Connect
 * itself. That is why code and reason are read from the answer.
 */
export function tellObserver(observer: Observer): Step {
  return ({ service, method }) => {
    const rpc = `${service.typeName}/${method.name}`;
    return async (request, next) => {
      const observation = observer.begin(rpc, request.header, logOf(request.contextValues));
      observe(request.contextValues, observation);
      let outcome: Outcome = { code: "internal", reason: undefined, status: 500 };
      try {
        const answer = await observation.run(() => next(request));
        if (answer.status === 200) {
          outcome = { code: "ok", reason: undefined, status: 200 };
          return answer;
        }
        const { json, response } = await readErrorResponse(answer);
        outcome = { ...readError(json), status: answer.status };
        return response;
      } finally {
        observation.end(outcome);
      }
    };
  };
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

function readError(json: Uint8Array): { code: string; reason: string | undefined } {
  if (json.byteLength === 0) return { code: "unknown", reason: undefined };
  return codeAndReason(JSON.parse(Buffer.from(json).toString()));
}
