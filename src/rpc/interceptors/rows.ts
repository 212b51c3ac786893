import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { callOf } from "../call.ts";

/** Counts the rows in the response of a list, for logs. */
export const countRows: Interceptor = (next) => async (request) => {
  const response = await next(request);
  const { observation } = callOf(request.contextValues);
  if (observation !== undefined && !response.stream)
    observation.rows = rowsIn(response.method.output, response.message);
  return response;
};

/** Lists have a field `pagination` and one repeated field. */
function rowsIn({ field, fields }: DescMessage, message: Message): number | undefined {
  const rows = field.pagination && fields.find(({ fieldKind }) => fieldKind === "list");
  return rows && (message as unknown as Record<string, unknown[]>)[rows.localName]?.length;
}
