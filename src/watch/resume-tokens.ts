import type { FeedPosition, Moment } from "../authorization/feed.ts";
import { Refusal } from "../authorization/refusal.ts";
import { partsOf, tokenOf } from "../rpc/messages/page.ts";

/** A position in a feed as a token. Like a page token, it holds no rights: there is nothing to gain by changing it. */
export function resumeTokenOf(feed: string, { seen, sending }: FeedPosition): string {
  const rest = sending && [...partsOfMoment(sending.until), String(sending.after), String(sending.last)];
  return tokenOf([feed, ...partsOfMoment(seen), ...(rest ?? [])]);
}

/** Throws RESUME_TOKEN_INVALID unless the token is one of the same feed. */
export function readResumeToken(token: string, feed: string): FeedPosition {
  const [ofFeed, ...parts] = partsOf(token) ?? [];
  const position = ofFeed === feed ? toPosition(parts) : undefined;
  if (position !== undefined) return position;
  throw new Refusal("RESUME_TOKEN_INVALID", "resumeToken: must come from a stream with the same filters");
}

/** A moment is the source, the next transaction and the running ones; none has no source. */
function partsOfMoment(moment: Moment | undefined): string[] {
  return moment === undefined ? ["", "", ""] : [moment.source, String(moment.next), moment.running.join(",")];
}

function toPosition(parts: readonly string[]): FeedPosition | undefined {
  const [source, next, running, untilSource, untilNext, untilRunning, after, last] = parts;
  const seen = toMoment(source, next, running);
  if (parts.length === 3) return seen && { seen };
  const until = toMoment(untilSource, untilNext, untilRunning);
  const isWhole = parts.length === 8 && until !== undefined && isNumber(after) && isNumber(last);
  if (!isWhole || (seen === undefined && source !== "")) return undefined;
  return { seen, sending: { until, after: BigInt(after), last: BigInt(last) } };
}

function toMoment(source?: string, next?: string, running = ""): Moment | undefined {
  const numbers = running === "" ? [] : running.split(",");
  if (!source || !isNumber(next) || !numbers.every(isNumber)) return undefined;
  return { source, next: BigInt(next), running: numbers.map(BigInt) };
}

/** Postgres can store any number of eighteen digits, and there will never be more transactions or events. */
function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,18}$/.test(text);
}
