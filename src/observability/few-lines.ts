/** How many lines a server writes per second for requests that reach no RPC. */
const linesPerSecond = 20;

type Log = { info(details: object, message: string): void };

/**
 * Limits log lines for requests that cost a client nothing. The first lines of each second are written, and one more
 * line has the number of the others. So no one can fill a disk with requests that the service doesn't even serve.
 *
 * @param processes how many write such lines for the same server
 */
export function fewLines(log: Log, processes = 1): (own: Log, details: object, message: string) => void {
  const perSecond = Math.ceil(linesPerSecond / processes);
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
