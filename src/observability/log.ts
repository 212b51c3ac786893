import { destination, type Logger, type LoggerOptions, pino } from "pino";
import { errorFields } from "./error-fields.ts";

export type OperatorsLog = {
  readonly log: Logger;
  /** How many lines were thrown away because nobody took them. */
  readonly lost: () => number;
};

/** How much may wait to be written, in bytes; then whoever reads standard error is too slow, and lines are lost. */
const mostWaiting = 8_388_608;
/** A line is written as soon as so many bytes wait, or so many milliseconds have passed. */
const written = { minLength: 8_192, periodicFlush: 100 };

/**
 * The log of a server: lines of JSON on standard error, written in the background and many at once. What waits is
 * written when the process ends, also by a crash; only kill -9 takes the lines of the last tenth of a second along.
 */
export function openLog(level: string): OperatorsLog {
  const stream = destination({ dest: 2, sync: false, maxLength: mostWaiting, ...written });
  let lost = 0;
  let isEnding = false;
  stream.on("drop", () => {
    lost += 1;
  });
  // A disk that is full, for one. Without a listener it would end the process.
  stream.on("error", () => {
    lost += 1;
    // It goes on trying, which at the end would be for ever.
    stream.flushSync = () => {};
    if (isEnding) stream.destroy();
  });
  process.once("beforeExit", () => {
    isEnding = true;
  });
  return { log: pino(logOptions(level), stream), lost: () => lost };
}

/** What libraries and Node itself write to standard error becomes lines of the log too, so that all of it can be read. */
export function logConsole(log: Pick<Logger, "warn">): void {
  const write = (message: unknown, error?: unknown) =>
    log.warn(error === undefined ? {} : { err: error }, String(message));
  console.error = write;
  console.warn = write;
  // Node's own listener would print it as well.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, warning.message));
}

export function logOptions(level: string): LoggerOptions {
  return { level, serializers: { err: errorFields } };
}
