import type { DescField, Message } from "@bufbuild/protobuf";
import { Violation } from "@bufbuild/protovalidate";
import type { Interceptor } from "@connectrpc/connect";
import { Refusal } from "../../authorization/refusal.ts";
import { refuseViolations } from "./validation.ts";

/** The header that gives a reason for changes to requests without one of their own. */
const header = "X-Change-Reason";

/** A request of a changing RPC. No other request has a field `reason`. */
type Changing = Message & { reason: string; readonly dryRun?: boolean };

/**
 * Takes the reason of a changing request from the header unless the request has one. White space around it doesn't
 * count. Runs before the validation, so one rule holds for both ways.
 */
export const takeReason: Interceptor = (next) => (request) => {
  const field = request.method.input.field.reason;
  if (field !== undefined && !request.stream) {
    const message = request.message as Changing;
    const sent = request.header.get(header);
    message.reason = message.reason.trim();
    if (message.reason === "" && sent !== null) message.reason = decode(sent, field).trim();
  }
  return next(request);
};

/** Refuses a changing request without a reason. Dry runs need none. */
export const requireReason: Interceptor = (next) => (request) => {
  if (request.method.input.field.reason !== undefined && !request.stream) {
    const { reason, dryRun } = request.message as Changing;
    if (reason === "" && dryRun !== true)
      throw new Refusal("REASON_REQUIRED", `say why in the field reason or in the header ${header}`);
  }
  return next(request);
};

/** Headers are ASCII in gRPC, and mean Latin-1 or UTF-8 elsewhere. Percent-encoding is the same everywhere. */
function decode(sent: string, field: DescField): string {
  try {
    if (/^[ -~]*$/.test(sent)) return decodeURIComponent(sent);
  } catch {
    // It is refused below, as any other text that is not percent-encoded.
  }
  const message = `the header ${header} must be percent-encoded UTF-8, as encodeURIComponent writes it`;
  return refuseViolations([new Violation(message, "string.percent_encoded", [field], [], false)]);
}
