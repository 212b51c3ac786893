import type { Page } from "playwright-core";

/** Keeps the answers to calls back, from the given one on, until they are let go: what a page shows meanwhile stays. */
export async function hold(page: Page, method: string, first = 1) {
  const isLetGo = Promise.withResolvers<void>();
  const calls = `**/${method}`;
  let sent = 0;
  await page.route(calls, async (route) => {
    sent += 1;
    if (sent >= first) await isLetGo.promise;
    // A page that has cancelled its call takes no answer.
    await route.continue().catch(() => {});
  });
  return async () => {
    isLetGo.resolve();
    await page.unroute(calls);
  };
}

/** Lets calls reach the service and loses its answers. Answers how many calls there were. */
export async function loseAnswers(page: Page, method: string): Promise<() => number> {
  let calls = 0;
  await page.route(`**/${method}`, async (route) => {
    calls += 1;
    await route.fetch();
    await route.abort();
  });
  return () => calls;
}
