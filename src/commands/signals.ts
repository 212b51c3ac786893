/**
 * Lets a server that is reached finish its requests whatever signals follow the one that stops it: npm passes on a Ctrl-C
 * that the terminal has sent to the server, too. Until then, a second signal ends a server that waits while it starts.
 */
export function outlastSignals(): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => {});
}
