import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { Answer, Arrival } from "./call.ts";
import type { Observation, Observer, Outcome } from "./observer.ts";

/**
 * Reports a request and its answer to the observer, whether the answer comes from the RPC, the gate, the deadline, or
 * the reading of its body.
 */
export async function observed(
  observer: Observer,
  rpc: string,
  { protocol, headers, log }: Pick<Arrival, "protocol" | "headers" | "log">,
  work: (observation: Observation) => Promise<Answer>,
): Promise<Answer> {
  const observation = observer.begin(rpc, protocol.name, headers, log);
  let outcome: Outcome = { code: "internal", reason: undefined, status: 500 };
  try {
    const answer = await observation.run(() => work(observation));
    outcome = outcomeOf(answer);
    return answer;
  } finally {
    observation.end(outcome);
  }
}

/** How an answer ends its request. */
export function outcomeOf({ status, error }: Pick<Answer, "status" | "error">): Outcome {
  if (error === undefined) return { code: "ok", reason: undefined, status };
  const info = error.details.find((detail) => "desc" in detail && detail.desc.typeName === "google.rpc.ErrorInfo");
  const reason = (info as { value: { reason?: string } } | undefined)?.value.reason;
  return { code: codeToString(error.code), reason, status };
}
