import { describe, expect, test } from "vitest";
import { assign, listed } from "../support/assign.ts";
import { type Answer, serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true, poolSize: 10 });
const root = await server.database.token("root");

const old = "2024-01-01T00:00:00Z";

describe.each([
  { rpc: "ActivateAuthorization", from: "inactive", to: "active" },
  { rpc: "DeactivateAuthorization", from: "active", to: "inactive" },
] as const)("$rpc", ({ rpc, from, to }) => {
  const call = (id: string, more: object = {}, token = root): Promise<Answer> =>
    server.call(rpc, { id, ...more }, { token });
  const assigned = (more: object = {}) => assign(server.database, { state: from, ...more });

  test("puts it into the state, answers the new change date, and leaves all else as it was", async () => {
    const { id } = await assigned({ roleKeys: ["seller", "owner"] });
    const before = await listed(server, id, root);
    const { status, body } = await call(id);
    expect({ status, body }).toEqual({ status: 200, body: { changeDate: expect.stringMatching(/^20\d\d-.*Z$/) } });
    expect(body.changeDate > old).toBe(true);
    const after = { ...before, state: `STATE_${to.toUpperCase()}`, changeDate: body.changeDate };
    expect(await listed(server, id, root)).toEqual(after);
  });
});
