import { type Frame, frame, framesOf, get, preface } from "../support/http2-frames.ts";

/** Why these bytes can't be what a server of HTTP/2 answers; undefined if they can. */
export function problemOfFrames(bytes: Buffer): string | undefined {
  // Whatever is no preface is answered as HTTP/1.1.
  if (bytes.length === 0 || bytes.subarray(0, 9).toString("latin1") === "HTTP/1.1 ") return undefined;
  const frames = framesOf(bytes);
  if (frames.length > 0 && frames[0]?.type !== 4) return "the first frame has no settings";
  // Node says so of all streams when nghttp2 gives up their session.
  const isGivenUp = frames.some(({ type }) => type === 7);
  const isFaulty = frames.some(({ type, payload }) => type === 3 && payload.readUInt32BE() === internalError);
  if (isFaulty && !isGivenUp) return "a stream is reset with INTERNAL_ERROR";
  return frames.map(problemOfFrame).find(Boolean);
}

function problemOfFrame({ type, stream, payload }: Frame): string | undefined {
  if (type > 9) return `a frame of type ${type}`;
  if (payload.length > 16_384) return `a frame of ${payload.length} bytes`;
  if ((stream === 0) !== [4, 6, 7].includes(type) && type !== 8) return `a frame of type ${type} on stream ${stream}`;
  if (type === 0 && /"code":"(internal|unknown|data_loss)"/.test(String(payload))) return `an answer ${payload}`;
  return undefined;
}

const internalError = 2;

/** What a healthy client sends, and how it knows the answer. */
export const healthCheck = Buffer.concat([preface, frame("settings", 0, 0), frame("headers", 5, 1, get("/healthz"))]);

export function isHealthy(bytes: Buffer): boolean {
  return framesOf(bytes).some(({ type, payload }) => type === 0 && String(payload) === '{"status":"alive"}');
}
