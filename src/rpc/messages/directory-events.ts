import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import {
  type DirectoryEvent as DirectoryEventMessage,
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
import { historyFilters } from "./histories.ts";
import { fromInstant } from "./timestamps.ts";

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

export const toDirectoryEventFilter = historyFilters<DirectoryEventFilter>(thingKinds);
