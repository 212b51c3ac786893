import { startHttpServer } from "./http-server.ts";
import { until } from "./until.ts";

/** A span as OTLP/JSON says it, with its attributes as an object. */
export type ReceivedSpan = {
  readonly name: string;
  readonly kind: "SERVER" | "CLIENT" | "other";
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Record<string, unknown>;
  readonly failed: boolean;
};

export type OtlpReceiver = Awaited<ReturnType<typeof openOtlpReceiver>>;

const kinds: Record<number, ReceivedSpan["kind"]> = { 2: "SERVER", 3: "CLIENT" };

/** What a collector of OpenTelemetry is on this machine: it keeps what it is sent. */
export async function openOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  /** Every request as it came, whatever its format. */
  const requests: { path: string; contentType: string; body: Buffer }[] = [];
  /** The attributes of the resource that sent last. */
  const resource: Record<string, unknown> = {};
  const { url, stop } = await startHttpServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const contentType = request.headers["content-type"] ?? "";
    requests.push({ path: request.url ?? "", contentType, body });
    if (contentType.startsWith("application/json")) {
      for (const each of JSON.parse(body.toString()).resourceSpans) {
        Object.assign(resource, toObject(each.resource.attributes));
        for (const scope of each.scopeSpans) spans.push(...scope.spans.map(toSpan));
      }
    }
    response
      .writeHead(200, { "content-type": contentType })
      .end(contentType.startsWith("application/json") ? "{}" : "");
  });
  return {
    url,
    stop,
    spans,
    resource,
    requests,
    /** Resolves to the spans of a trace as soon as its SERVER span is there, which ends last. */
    async trace(traceId: string) {
      const ofTrace = () => spans.filter((span) => span.traceId === traceId);
      await until("the SERVER span", () => ofTrace().some(({ kind }) => kind === "SERVER"));
      return ofTrace();
    },
  };
}

function toSpan(span: any): ReceivedSpan {
  return {
    name: span.name,
    kind: kinds[span.kind] ?? "other",
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId || undefined,
    attributes: toObject(span.attributes),
    failed: span.status?.code === 2,
  };
}

function toObject(attributes: any[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
