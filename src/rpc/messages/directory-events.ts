import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import {
  type DirectoryEvent as DirectoryEventMessage,
  type DirectoryEventsSearchFilter,
  type DirectoryThing,
  DirectoryThingSchema,
} from "../../../gen/service/directory/v1/directory_history_service_pb.ts";
import {
  type DirectoryEvent,
  type DirectoryEventFilter,
  type Image,
  type ThingKind,
  thingKinds,
} from "../../directory/history.ts";
import { fromUser } from "./authorizations.ts";
import { fromInstant, toDateRange } from "./timestamps.ts";

/** Converts events of the directory and their filters between the domain and messages. Nothing else belongs here. */

export function fromDirectoryEvent(event: DirectoryEvent): DirectoryEventMessage {
  const { sequence, time, kind, actor, requestId, reason, before, after } = event;
  return {
    $typeName: "service.directory.v1.DirectoryEvent",
    sequence: BigInt(sequence),
    time: fromInstant(time),
    ...(actor === null ? {} : { actor: fromUser(actor) }),
    requestId,
    reason,
    ...(before === null ? {} : { before: toThing(kind, before) }),
    ...(after === null ? {} : { after: toThing(kind, after) }),
  };
}

/** A newer version may have stored fields that this one doesn't know. */
function toThing(kind: ThingKind, image: Image): DirectoryThing {
  return fromJson(DirectoryThingSchema, { [kind]: image as JsonObject }, { ignoreUnknownFields: true });
}

/** The filter must have passed validation. */
export function toDirectoryEventFilter({ filter }: DirectoryEventsSearchFilter): DirectoryEventFilter {
  switch (filter.case) {
    case "id":
    case "userId":
    case "actorId":
    case "organizationId":
    case "projectId":
      return { kind: filter.case, id: filter.value.id };
    case "kinds":
      return { kind: "types", types: filter.value.kinds.filter(isThingKind) };
    case "time":
      return { kind: "time", range: toDateRange(filter.value) };
    default:
      throw new Error("a filter without a kind passed validation");
  }
}

function isThingKind(kind: string): kind is ThingKind {
  return (thingKinds as readonly string[]).includes(kind);
}
