import { destination, type Logger, type LoggerOptions, pino } from "pino";
import { errorFields } from "./error-fields.ts";

export type OperatorsLog = ReturnType<typeof openLog>;

/** How many bytes may wait to be written. Beyond that, the reader of standard error is too slow, and lines are lost. */
const mostWaiting = 8_388_608;
/** Lines are written once this many bytes wait, or after this many milliseconds. */
const written = { minLength: 8_192, periodicFlush: 100 };
/** A pipe takes this many bytes at once, so lines of several processes don't mix. */
const writtenWhole = { minLength: 3_072, maxWrite: 4_096, periodicFlush: 100 };
/** How often the last lines are tried, a tenth of a second apart, when the process ends. */
const mostAttemptsAtEnd = 20;

/**
 * The log of a server: lines of JSON on standard error, written in the background in batches. Waiting lines are written
 * when the process ends, even by a crash, if they are read within two seconds. Only kill -9 loses the lines of the last
 * tenth of a second.
 *
 * @param isShared whether other processes write to the same standard error
 */
export function openLog(level: string, isShared = false) {
  const size = isShared ? writtenWhole : written;
  let lost = 0;
  let isEnding = false;
  let attempts = 0;
  process.once("exit", () => {
    isEnding = true;
  });
  // A reader that is there but reads nothing must not keep a process that ends.
  const retryEAGAIN = () => !isEnding || ++attempts <= mostAttemptsAtEnd;
  const stream = destination({ dest: 2, sync: false, maxLength: mostWaiting, retryEAGAIN, ...size });
  stream.on("drop", () => {
    lost += 1;
  });
  // For example, a full disk. Without a listener, the error would end the process.
  stream.on("error", () => {
    lost += 1;
  });
  const { flushSync } = stream;
  stream.flushSync = () => {
    try {
      flushSync.call(stream);
    } catch {
      lost += 1;
    }
  };
  return {
    log: pino(logOptions(level), stream),
    /** How many lines were dropped because nothing read them. */
    lost: () => lost,
  };
}

/** Turns what libraries and Node itself write to standard error into log lines, so the whole output is JSON. */
export function logConsole(log: Pick<Logger, "warn">): void {
  const write = (message: unknown, error?: unknown) =>
    log.warn(error === undefined ? {} : { err: error }, String(message));
  console.error = write;
  console.warn = write;
  // Node's own listener would also print it.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, warning.message));
}

export function logOptions(level: string): LoggerOptions {
  return { level, serializers: { err: errorFields } };
}
