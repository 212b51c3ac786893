import { ErrorInfoSchema } from "@authorization-service/client";
import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

/** Calls the service as the user whose token is in TOKEN. */
export function connect(baseUrl = process.env.BASE_URL ?? "http://127.0.0.1:8080"): Transport {
  const withToken: Interceptor = (next) => (request) => {
    request.header.set("Authorization", `Bearer ${process.env.TOKEN}`);
    return next(request);
  };
  return createConnectTransport({ baseUrl, httpVersion: "1.1", interceptors: [withToken], defaultTimeoutMs: 2_000 });
}

/** Why a call failed, such as ROLE_NOT_FOUND, and a sentence about it. */
export function reasonOf(error: unknown): string {
  const failed = ConnectError.from(error);
  const [info] = failed.findDetails(ErrorInfoSchema);
  return `${info?.reason ?? Code[failed.code]}: ${failed.rawMessage}`;
}

/** Ends the program with one line. */
export function fail(error: unknown): never {
  console.error(reasonOf(error));
  process.exit(1);
}
