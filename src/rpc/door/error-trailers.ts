import { ConnectError } from "@connectrpc/connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { shorten } from "./shorten.ts";

/**
 * An error as the trailers of gRPC, with its details in `grpc-status-details-bin`.
 *
 * Libraries for gRPC refuse an answer whose trailers are too large, and then show none of it. So if the error needs more
 * than `mostBytes`, parts of it are left out: violations, and metadata with long values.
 */
export function errorTrailers(
  error: ConnectError,
  added: Headers = new Headers(),
  mostBytes = Number.POSITIVE_INFINITY,
): Headers {
  let trailers = new Headers();
  for (const smaller of everSmaller(wellFormed(error))) {
    trailers = setTrailerStatus(new Headers(added), smaller);
    if (sizeOf(trailers) <= mostBytes) break;
  }
  return trailers;
}

/** The library can't write a message with a lone surrogate, which malformed JSON can bring in. */
function wellFormed(error: ConnectError): ConnectError {
  return error.rawMessage.isWellFormed() ? error : copyOf(error, error.rawMessage.toWellFormed(), error.details);
}

function* everSmaller(error: ConnectError): Generator<ConnectError> {
  yield error;
  // A message of many violations is longer than its details.
  const message = shorten(error.rawMessage);
  for (let most = Math.max(1, mostViolations(error) >> 1); most > 0; most >>= 1) {
    yield copyOf(
      error,
      message,
      error.details.map((detail) => shortened(detail, most)),
    );
  }
  yield copyOf(error, message, []);
}

function copyOf({ code, metadata }: ConnectError, message: string, details: ConnectError["details"]): ConnectError {
  const copy = new ConnectError(message, code, metadata);
  copy.details = details;
  return copy;
}

type Detail = ConnectError["details"][number];
type Value = { readonly violations?: readonly unknown[]; readonly metadata?: Readonly<Record<string, string>> };

function contentOf(detail: Detail): Value {
  return "desc" in detail ? (detail.value as Value) : {};
}

function mostViolations({ details }: ConnectError): number {
  return Math.max(0, ...details.map((detail) => contentOf(detail).violations?.length ?? 0));
}

/** Longer values of metadata, such as a list of role keys, are left out when room is short. */
const longestValue = 200;

/** A detail with only the first violations, and without long metadata. */
function shortened(detail: Detail, most: number): Detail {
  if (!("desc" in detail)) return detail;
  const { violations, metadata } = contentOf(detail);
  const value = {
    ...detail.value,
    ...(violations && { violations: violations.slice(0, most) }),
    ...(metadata && {
      metadata: Object.fromEntries(Object.entries(metadata).filter(([, { length }]) => length <= longestValue)),
    }),
  };
  return { desc: detail.desc, value } as Detail;
}

/** As HTTP/2 counts it: 32 bytes for each field, its name and its value. */
function sizeOf(trailers: Headers): number {
  return [...trailers].reduce((sum, [name, value]) => sum + 32 + name.length + value.length, 0);
}
