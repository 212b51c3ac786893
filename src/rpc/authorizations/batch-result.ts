import type { MessageInitShape } from "@bufbuild/protobuf";
import type { BatchErrorSchema } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import type { Instant } from "../../authorization/authorization.ts";
import { Refusal } from "../../authorization/refusal.ts";
import type { Outcome } from "../../authorization/steps.ts";
import { codeOf } from "../door/refusals.ts";

type Result<Success> = {
  result:
    | { readonly case: "success"; readonly value: Success }
    | { readonly case: "error"; readonly value: MessageInitShape<typeof BatchErrorSchema> };
};

/** What became of an item of a batch: what the single call would have answered, or failed with. */
export function resultOf<Success>(outcome: Outcome, succeed: (date: Instant) => Success): Result<Success> {
  if (!(outcome instanceof Refusal)) return { result: { case: "success", value: succeed(outcome.date) } };
  const { reason, message, metadata } = outcome;
  return { result: { case: "error", value: { code: codeOf(reason), reason, message, metadata: { ...metadata } } } };
}
