import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** The answer to a scrape, and its content type. */
export type Exposition = { readonly contentType: string; readonly read: () => Promise<string> };

/**
 * A server for `GET /metrics` and nothing else, separate from the one for callers. Simultaneous scrapes share one
 * reading, so frequent scrapes cost little.
 */
export function metricsServer({ contentType, read }: Exposition): Server {
  let reading: Promise<string> | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || request.url?.split("?", 1)[0] !== "/metrics")
      return end(response, 404, "only GET /metrics is served here\n");
    try {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      end(response, 200, await reading, contentType);
    } catch {
      end(response, 500, "the metrics could not be read\n");
    }
  }

  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 8_192 }, (request, response) => {
    void answer(request, response);
  });
}

function end(response: ServerResponse, status: number, text: string, contentType = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "content-type": contentType, "cache-control": "no-store" }).end(text);
}
