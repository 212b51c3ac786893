import { type Authorization, AuthorizationService, State } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";
import { assignmentChangeWords } from "../words/assignment-changes.ts";

/** A change that needs no further input. */
export type SimpleChange = "activate" | "deactivate" | "delete";

export const {
  labels,
  pastTense,
}: Record<"labels" | "pastTense", Record<SimpleChange, string>> = assignmentChangeWords;

/** The change that undoes another one. */
export function oppositeOf(change: "activate" | "deactivate"): SimpleChange {
  return change === "activate" ? "deactivate" : "activate";
}

/** Whether there is nothing to do. */
export function isSoAlready(change: SimpleChange, { state }: Authorization): boolean {
  return change !== "delete" && state === (change === "activate" ? State.ACTIVE : State.INACTIVE);
}

/** Changes the assignment if it is still as shown. Resolves to the new change date; none after deleting. */
export async function sendSimpleChange(
  transport: Transport,
  change: SimpleChange,
  shown: Pick<Authorization, "id" | "changeDate">,
  reason: string,
): Promise<Timestamp | undefined> {
  const client = createClient(AuthorizationService, transport);
  const request = { id: shown.id, ifUnchangedSince: shown.changeDate, reason };
  switch (change) {
    case "activate":
      return (await client.activateAuthorization(request)).changeDate;
    case "deactivate":
      return (await client.deactivateAuthorization(request)).changeDate;
    case "delete":
      await client.deleteAuthorization(request);
      return undefined;
  }
}
