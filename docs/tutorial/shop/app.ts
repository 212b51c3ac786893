import { createServer, type Server } from "node:http";
import { CheckService } from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";
import { connect, reasonOf } from "./connect.ts";

/** The shop: everyone sees the bikes, and sellers sell them. */
export function createShop(transport: Transport): Server {
  const checks = createClient(CheckService, transport);

  async function holds(userId: string, organizationId: string, role: string): Promise<boolean> {
    const item = { userId, projectId: "bike-shop", organizationId, roleKeys: [role] };
    const { results } = await checks.checkRoles({ items: [item] }, { timeoutMs: 500 });
    const [only] = results;
    if (only?.result.case !== "success") throw new Error(`the check failed: ${only?.result.value?.message}`);
    return only.result.value.held.length > 0;
  }

  return createServer(async (request, response) => {
    const answer = (status: number, text: string) => response.writeHead(status).end(`${text}\n`);
    if (request.url === "/bikes") return answer(200, "3 bikes");
    if (request.url !== "/sell") return answer(404, "there is no such page");
    // Who this is comes from your session or your issuer's token, not from a header like this one.
    const [userId = "", organizationId = ""] = String(request.headers["x-user"] ?? "").split("@");
    if (userId === "" || organizationId === "") return answer(401, "sign in first");
    try {
      if (!(await holds(userId, organizationId, "seller"))) return answer(403, "only sellers sell bikes");
    } catch (error) {
      // What can't be checked isn't done.
      console.error(reasonOf(error));
      return answer(503, "try again later");
    }
    return answer(200, `${userId} sold a bike`);
  });
}

if (import.meta.main) createShop(connect()).listen(Number(process.env.APP_PORT ?? 3000), "127.0.0.1");
