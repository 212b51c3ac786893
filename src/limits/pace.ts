/** How many requests begin in one turn of the event loop. */
const most = 10;

/**
 * Lets requests that arrive together begin a few at a time. What Postgres has answered is read once in each turn of the event
 * loop: a caller who sends hundreds of requests at once, if only to have them refused, would leave others next to no turns at Postgres.
 *
 * @returns a function that calls another one in its turn
 */
export function openPace() {
  const waiting: (() => void)[] = [];
  function beginSome(): void {
    // As tasks of their own, so that one that throws keeps none from beginning.
    for (const begin of waiting.splice(0, most)) queueMicrotask(begin);
    if (waiting.length > 0) setImmediate(beginSome);
  }
  return (begin: () => void): void => {
    if (waiting.push(begin) === 1) setImmediate(beginSome);
  };
}
