/** Does work while something is repeated all the time, with how often it was done before, and resolves to the work's result. */
export async function whileRepeating<T>(
  repeated: (times: number) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  let isOver = false;
  const repeating = (async () => {
    for (let times = 0; !isOver; times += 1) await repeated(times);
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await repeating;
  }
}
