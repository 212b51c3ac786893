import { createInterface } from "node:readline";

/**
 * Reads calls as lines of JSON, and answers each with a line.
 *
 * @param {(call: any, signal: AbortSignal) => Promise<object>} answer
 */
export function answerCalls(answer) {
  const cancels = new Map();
  createInterface(process.stdin).on("line", (line) => {
    const call = JSON.parse(line);
    if (call.cancel) return cancels.get(call.id)?.abort();
    const controller = new AbortController();
    cancels.set(call.id, controller);
    answer(call, controller.signal).then((found) => console.log(JSON.stringify({ id: call.id, ...found })));
  });
}
