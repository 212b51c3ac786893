import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { endRefusedSession } from "./session.ts";
import { tokenToCallWith } from "./token-to-call-with.ts";

/** Calls the service that delivered the page, in the name of whoever is signed in. */
export const transport: Transport = createConnectTransport({
  baseUrl: location.origin,
  defaultTimeoutMs: 20_000,
  interceptors: [inTheNameOfTheCaller()],
});

function inTheNameOfTheCaller(): Interceptor {
  return (next) => async (request) => {
    const token = await tokenToCallWith();
    request.header.set("Authorization", `Bearer ${token}`);
    try {
      return await next(request);
    } catch (error) {
      if (ConnectError.from(error).code === Code.Unauthenticated) endRefusedSession(token);
      throw error;
    }
  };
}
