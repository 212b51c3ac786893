/** Lines a second that are written for requests that reach no RPC. */
const perSecond = 20;

type Log = { info(details: object, message: string): void };

/**
 * Logs what costs a client nothing to send. Of each second the first lines are written, the others are counted and
 * said in one line, so that nobody fills a disk with what this service does not even serve.
 */
export function fewLines(log: Log): (own: Log, details: object, message: string) => void {
  let count = 0;

  function endSecond(): void {
    if (count > perSecond)
      log.info({ count: count - perSecond }, "more requests were refused before they reached an RPC");
    count = 0;
  }

  return (own, details, message) => {
    if (count === 0) setTimeout(endSecond, 1_000).unref();
    count += 1;
    if (count <= perSecond) own.info(details, message);
  };
}
