import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { shorten } from "./shorten.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Corrects errors of Connect's library, to be called as soon as a call's signal aborts: the library aborts it with the
 * error before it writes the error.
 *
 * - What can't be read is a mistake of the client, `invalid_argument`, where the library says `internal`.
 * - Messages are about limits, not about options, and don't repeat long input.
 * - Over gRPC, errors fit into what its clients accept.
 */
export function correctError(reason: unknown, { protocolName }: Pick<HandlerContext, "protocolName">): void {
  if (!(reason instanceof ConnectError)) return;
  const error: Writable<ConnectError> = reason;
  const { rawMessage } = error;
  if (/^(parse binary: |decompression failed$)/.test(rawMessage)) error.code = Code.InvalidArgument;
  const [, size, most, unpacked] = tooLarge.exec(rawMessage) ?? [];
  if (most !== undefined) {
    const got = size === undefined ? (unpacked ?? "") : `, got ${size}`;
    error.rawMessage = `the request must be at most ${most} bytes${got}`;
  }
  if (isAboutInput.test(rawMessage)) error.rawMessage = shorten(rawMessage.toWellFormed());
  if (protocolName === "grpc") fitIntoTrailers(error);
}

const tooLarge = /^message (?:size )?(\d+)? ?is larger than configured readMaxBytes (\d+)( after decompression)?$/;
const isAboutInput = /^(?:parse binary|cannot decode) /;

/** Many libraries refuse trailers of more than 8 KiB, and then show nothing of the error. */
const mostTrailerBytes = 6_000;
/** So many violations fit, with a short message. */
const mostViolations = 12;

/** Leaves out violations and metadata, such as a long list of role keys, if the error is too large. */
function fitIntoTrailers(error: Writable<ConnectError>): void {
  // All of this server have a description.
  const details = error.details.filter((detail) => "desc" in detail);
  const bytes = details.reduce((sum, { desc, value }) => sum + toBinary(desc, create(desc, value)).byteLength, 0);
  if (encodeURIComponent(error.rawMessage).length + (bytes * 4) / 3 <= mostTrailerBytes) return;
  error.rawMessage = shorten(error.rawMessage);
  error.details = details.map(withLess);
}

type Detail = Extract<ConnectError["details"][number], { readonly desc: unknown }>;
type Content = { readonly violations?: readonly unknown[]; readonly metadata?: object };

function withLess({ desc, value }: Detail): Detail {
  const { violations, metadata } = value as Content;
  const less = {
    ...(violations && { violations: violations.slice(0, mostViolations) }),
    ...(metadata && { metadata: {} }),
  };
  return { desc, value: { ...value, ...less } } as Detail;
}
