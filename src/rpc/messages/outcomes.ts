import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { type Change, ChangeSchema } from "../../../gen/service/directory/v1/change_pb.ts";
import { ChangeOutcome_Effect as Effect } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import type { ChangeAnswer, Outcome, Thing } from "../../directory/outcome.ts";
import { mutable } from "./mutable.ts";

export function fromAnswer({ outcomes, ...rest }: ChangeAnswer) {
  return { ...mutable(rest), applied: outcomes.length, outcomes: outcomes.map(fromOutcome) };
}

function fromOutcome({ effect, changedFields, before, after }: Outcome) {
  return {
    effect: Effect[effect.toUpperCase() as Uppercase<typeof effect>],
    changedFields: [...changedFields],
    ...(before === undefined ? {} : { before: fromThing(before) }),
    ...(after === undefined ? {} : { after: fromThing(after) }),
  };
}

export function fromThing({ kind, image }: Thing): Change {
  return fromJson(ChangeSchema, { [kind]: image as JsonObject });
}
