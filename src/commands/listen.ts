import { getSystemErrorMessage } from "node:util";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import { CommandError } from "./command-error.ts";

/**
 * How many connections the system queues until they are accepted. The system may have a lower limit. A client whose
 * connection doesn't fit hears nothing for a second or more, while an accepted connection is served or refused at once.
 */
const mostUnaccepted = 4_096;

/** Listens on HOST and PORT. Resolves to the URL for people. */
export async function listen(app: FastifyInstance, { host, port, tls }: Config): Promise<string> {
  const scheme = tls === undefined ? "http" : "https";
  const listenTextResolver = (url: string) => `Server listening at ${url.replace(/^http/, scheme)}`;
  try {
    await app.listen({ host, port, backlog: mostUnaccepted, listenTextResolver });
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, { host, port }, "");
  }
  const address = app.server.address();
  const bound = typeof address === "object" ? (address?.port ?? port) : port;
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `${scheme}://${shown}:${bound}`;
}

/** @param prefix of the variables `HOST` and `PORT` that decide where to listen */
export function cannotListen(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, "host" | "port">,
  prefix: string,
): Error {
  const { code, errno } = error;
  if (errno === undefined) return error;
  return new CommandError(
    code === "EADDRINUSE"
      ? `${host}:${port} is already in use: choose another port with ${prefix}PORT.`
      : `The server can't listen on ${prefix}HOST and ${prefix}PORT: ${getSystemErrorMessage(errno)} (${host}:${port}).`,
  );
}
