import { create, toBinary } from "@bufbuild/protobuf";
import { ListAuthorizationsRequestSchema } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { callHeaders } from "../../test/support/call-headers.ts";
import { askOurs, askRival, type Bench, type Case, compare } from "../bench.ts";
import { type CallerKind, callerKinds } from "../callers.ts";
import { ask } from "../load.ts";
import { httpSide, memorySide, sqlSide } from "../sides.ts";
import { statementsOfPage } from "../statements.ts";

const request = { pagination: { limit: 100 } };

/** The names of the two loads, by which targets find them. */
export const throughput = "16 at once";
export const latency = "2 at once";

/** A page of 100 for every kind of caller, by every side. */
export const pageCases: Case[] = (Object.keys(callerKinds) as CallerKind[]).map((kind) => ({
  name: `page-${kind}`,
  title: `page of 100, ${callerKinds[kind]}`,
  async run(bench) {
    const json = askOurs(bench, kind, "ListAuthorizations", request);
    const rival = httpSide("rival", askRival(bench, kind, "list", request));
    const ours = httpSide("ours, JSON", json);
    const bytes = await ask(json);
    const statements = await statementsOfPage(bench.world, bench.callers[kind].token, 100);
    const sides = [
      ours,
      httpSide("ours, binary", binary(bench, kind)),
      rival,
      sqlSide(bench.servers.sql, statements),
      await memorySide(bench.servers.memory, json, bytes),
    ];
    const { pagination, authorizations } = JSON.parse(bytes.toString());
    return {
      measurements: [
        ...(await compare(bench, { load: throughput, connections: 16, sides })),
        ...(await compare(bench, { load: latency, connections: 2, sides: [ours, rival] })),
      ],
      numbers: {
        "rows in the page": authorizations.length,
        total: pagination.totalResult,
        "bytes of JSON": bytes.length,
      },
      notes: [],
    };
  },
}));

function binary(bench: Bench, kind: CallerKind) {
  const message = create(ListAuthorizationsRequestSchema, { pagination: { limit: 100 } });
  return {
    url: askOurs(bench, kind, "ListAuthorizations", {}).url,
    headers: callHeaders(bench.callers[kind].token, "application/proto"),
    body: Buffer.from(toBinary(ListAuthorizationsRequestSchema, message)),
  };
}
