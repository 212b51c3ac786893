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
/** Longer values of metadata, such as a list of role keys, are left out when room is short. */
const longestValue = 200;

/** Leaves out violations, and long metadata, until the error is small enough. */
function fitIntoTrailers(error: Writable<ConnectError>): void {
  if (sizeOf(error) <= mostTrailerBytes) return;
  error.rawMessage = shorten(error.rawMessage);
  for (let most = 32; most > 0 && sizeOf(error) > mostTrailerBytes; most >>= 1) {
    error.details = error.details.map((detail) => shortened(detail, most));
  }
  if (sizeOf(error) > mostTrailerBytes) error.details = [];
}

/** As sent: the message percent-encoded, and once more with the details, in Base64. */
function sizeOf({ rawMessage, details }: ConnectError): number {
  const bytes = details.reduce((sum, detail) => sum + bytesOf(detail), Buffer.byteLength(rawMessage));
  return encodeURIComponent(rawMessage).length + (details.length === 0 ? 0 : (bytes * 4) / 3);
}

function bytesOf(detail: Detail): number {
  return "desc" in detail
    ? toBinary(detail.desc, create(detail.desc, detail.value)).byteLength
    : detail.value.byteLength;
}

type Detail = ConnectError["details"][number];
type Content = { readonly violations?: readonly unknown[]; readonly metadata?: Readonly<Record<string, string>> };

function shortened(detail: Detail, most: number): Detail {
  if (!("desc" in detail)) return detail;
  const { violations, metadata } = detail.value as Content;
  const short = ([, { length }]: [string, string]) => length <= longestValue;
  const value = {
    ...detail.value,
    ...(violations && { violations: violations.slice(0, most) }),
    ...(metadata && { metadata: Object.fromEntries(Object.entries(metadata).filter(short)) }),
  };
  return { desc: detail.desc, value } as Detail;
}
