import { CallerService, type GetCallerResponse } from "@authorization-service/client";
import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { withKeptCalls } from "./kept-calls.ts";
import { endRefusedSession, learnUser } from "./session.ts";
import { tokenToCallWith } from "./token-to-call-with.ts";

const inTheNameOfTheCaller: Interceptor = (next) => async (request) => {
  const token = await tokenToCallWith();
  request.header.set("Authorization", `Bearer ${token}`);
  try {
    const answer = await next(request);
    if (request.method === CallerService.method.getCaller) {
      learnUser(token, (answer.message as GetCallerResponse).user?.id ?? "");
    }
    return answer;
  } catch (error) {
    if (ConnectError.from(error).code === Code.Unauthenticated) endRefusedSession(token);
    throw error;
  }
};

/** Calls the service that delivered the page, with the signed-in person's token. */
export const transport: Transport = withKeptCalls(
  createConnectTransport({ baseUrl: location.origin, defaultTimeoutMs: 20_000, interceptors: [inTheNameOfTheCaller] }),
);
