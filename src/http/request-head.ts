import type { IncomingMessage } from "node:http";

/**
 * The reason why a proxy could read the head of a request differently than this server; undefined if there is none.
 * Node's parsers accept such requests, and show only the first of two equal headers.
 */
export function ambiguityOf(request: IncomingMessage): string | undefined {
  return isHttp2(request) ? ambiguityInHttp2(request) : ambiguityInHttp1(request);
}

/** Whether it came over HTTP/2. A request line can claim any version. */
export function isHttp2(request: IncomingMessage): boolean {
  return "stream" in request;
}

function ambiguityInHttp1({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "the request line must end in HTTP/1.1 or HTTP/1.0";
  const twice = repeatedIn(rawHeaders);
  const coding = headers["transfer-encoding"]?.toLowerCase();
  const isReadable = coding === undefined || (coding === "chunked" && httpVersion === "1.1");
  return twice ?? (isReadable ? undefined : "the transfer coding must be chunked, which needs HTTP/1.1");
}

/** @param rawHeaders names and values by turns, as they were sent */
function repeatedIn(rawHeaders: readonly string[]): string | undefined {
  const names = rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : ""));
  const twice = ["Host", "Authorization"].find((name) => {
    const sent = name.toLowerCase();
    return names.indexOf(sent) !== names.lastIndexOf(sent);
  });
  return twice && `send only one ${twice} header`;
}

/** In HTTP/2, `:authority` takes the place of `Host`, and Node refuses lengths and codings that could be misread. */
function ambiguityInHttp2({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const twice = repeatedIn(rawHeaders);
  const { ":authority": authority, host } = headers;
  const isOne = authority === undefined || host === undefined || authority === host;
  return twice ?? (isOne ? undefined : "the Host header must equal :authority");
}

/** As many bytes as Node allows in the head of a request over HTTP/1.1. */
const mostHeaderBytes = 16_384;

/**
 * Whether the headers of a request over HTTP/2 are too large, counted as RFC 9113 does, section 6.5.2. nghttp2 refuses
 * that only to clients that have acknowledged the limit.
 */
export function hasTooLargeHeaders({ rawHeaders }: IncomingMessage): boolean {
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length, 16 * rawHeaders.length);
  return bytes > mostHeaderBytes;
}
