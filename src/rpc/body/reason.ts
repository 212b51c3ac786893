import type { IncomingHttpHeaders } from "node:http";
import type { DescField, DescMethod, Message } from "@bufbuild/protobuf";
import { Violation } from "@bufbuild/protovalidate";
import { Refusal } from "../../authorization/refusal.ts";
import { refuseViolations } from "./validation.ts";

/** The header that gives a reason for changes to requests without one of their own. */
const header = "X-Change-Reason";

/** A call, as far as its reason is concerned. */
type Reasoned = { readonly method: DescMethod; readonly headers: IncomingHttpHeaders };

/** A request of a changing RPC. No other request has a field `reason`. */
type Changing = Message & { reason: string; readonly dryRun?: boolean };

/**
 * Takes the reason of a changing request from the header unless the request has one. White space around it doesn't
 * count. Runs before the validation, so one rule holds for both ways.
 */
export function takeReason({ method, headers }: Reasoned, request: Message): void {
  const field = method.input.field.reason;
  if (field === undefined) return;
  const changing = request as Changing;
  changing.reason = changing.reason.trim();
  if (changing.reason !== "") return;
  const sent = headers[header.toLowerCase()]?.toString();
  if (sent !== undefined) changing.reason = decode(sent, field).trim();
}

/** Refuses a changing request without a reason. Dry runs need none. */
export function requireReason({ method }: Pick<Reasoned, "method">, request: Message): void {
  if (method.input.field.reason === undefined) return;
  const { reason, dryRun } = request as Changing;
  if (reason !== "" || dryRun === true) return;
  throw new Refusal("REASON_REQUIRED", `say why in the field reason or in the header ${header}`);
}

/** Headers are ASCII in gRPC, and mean Latin-1 or UTF-8 elsewhere. Percent-encoding is the same everywhere. */
function decode(sent: string, field: DescField): string {
  const text = /^[ -~]*$/.test(sent) ? decoded(sent) : undefined;
  if (text !== undefined) return text;
  const message = `the header ${header} must be percent-encoded UTF-8, as encodeURIComponent writes it`;
  return refuseViolations([new Violation(message, "string.percent_encoded", [field], [], false)]);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
