import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { currentSession, endSession } from "./session.ts";

/** Calls the service that delivered the page, in the name of whoever is signed in. */
export const transport: Transport = createConnectTransport({
  baseUrl: location.origin,
  defaultTimeoutMs: 20_000,
  interceptors: [inTheNameOfTheCaller()],
});

function inTheNameOfTheCaller(): Interceptor {
  return (next) => async (request) => {
    const { token } = currentSession();
    if (token !== undefined) request.header.set("Authorization", `Bearer ${token}`);
    try {
      return await next(request);
    } catch (error) {
      // A refusal of an earlier token says nothing about the one in use.
      const refused = ConnectError.from(error).code === Code.Unauthenticated && currentSession().token === token;
      if (refused) endSession("refused");
      throw error;
    }
  };
}
