import type { ServiceImpl } from "@connectrpc/connect";
import type { CheckService } from "../../../gen/service/authorization/v2/check_service_pb.ts";
import { permissionDenied } from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import type { RoleCheck } from "../../authorization/role-check.ts";
import { callerOf } from "../call.ts";
import { toBatchResult } from "../refusals.ts";

/** The most role keys of all items together (docs/reference/limits.md). */
const mostKeys = 5_000;

export function checkService({ check }: Pick<RoleCheck, "check">): ServiceImpl<typeof CheckService> {
  return {
    async checkRoles({ items }, context) {
      const keys = items.reduce((sum, { roleKeys }) => sum + roleKeys.length, 0);
      if (keys > mostKeys) {
        const numbers = { limit: String(keys), maximum: String(mostKeys) };
        throw new Refusal(
          "LIMIT_EXCEEDED",
          `items: must have at most ${mostKeys} roleKeys in all, got ${keys}`,
          numbers,
        );
      }
      const checked = items.map((item) => ({ ...item, organizationId: item.organizationId || undefined }));
      const results = await check(callerOf(context), checked, undefined, context.signal);
      return {
        results: results.map((held) => toBatchResult(held ? { held: [...held] } : permissionDenied("user.grant.read"))),
      };
    },
  };
}
