import type { Upsert } from "../directory/change.ts";
import type { Image, ThingKind } from "../directory/history.ts";
import { imageOf, readChange } from "./import-format.ts";
import { id, type Rule, requireFields, textOf, time } from "./line-rules.ts";

/** A thing before or after an event, and what follows from it for the event. */
export type EventThing = {
  /** As an event has it. */
  readonly image: Image;
  /** The values of these fields of an event about it. */
  readonly named: { readonly id: string; readonly within: string; readonly userId: string | null };
  /** The fields of its image that never change. */
  readonly fixed: readonly string[];
  /** The places that follow from its image, as `kind:id`. */
  readonly places: readonly string[];
  /** Whether it is also in an organization that its image doesn't name. */
  readonly isInAnother: boolean;
};

/** Reads the image of a thing. It obeys the same rules as in a change. Throws an error that says what is wrong. */
export function readThing(kind: ThingKind, image: unknown): EventThing {
  if (kind === "token") return readToken(image);
  const change = readChange(JSON.stringify({ [kind]: image }));
  if (change.kind === "removal") throw new Error("a thing was read as its removal");
  return { image: imageOf(change), ...factsOf(change) };
}

const neverChanges = { project: ["organizationId"], projectGrant: ["projectId", "organizationId"] } as const;

/** As src/postgres/directory/effects.ts finds them. */
function factsOf(upsert: Upsert): Omit<EventThing, "image"> {
  const named = { id: "id" in upsert ? upsert.id : "", within: "", userId: null };
  const facts = { named, fixed: [], places: [], isInAnother: false };
  switch (upsert.kind) {
    case "organization":
      return { ...facts, places: [`organization:${upsert.id}`] };
    case "user":
      return { ...facts, named: { ...named, userId: upsert.id }, places: [`organization:${upsert.organizationId}`] };
    case "project":
      return {
        ...{ ...facts, fixed: neverChanges.project },
        places: [`organization:${upsert.organizationId}`, `project:${upsert.id}`],
      };
    case "projectRole":
      return {
        ...{ ...facts, named: { ...named, id: upsert.key, within: upsert.projectId } },
        ...{ places: [`project:${upsert.projectId}`], isInAnother: true },
      };
    case "projectGrant": {
      const { projectId, organizationId } = upsert;
      return {
        ...{ ...facts, fixed: neverChanges.projectGrant, isInAnother: true },
        places: [`organization:${organizationId}`, `project:${projectId}`, `projectGrant:${upsert.id}`],
      };
    }
    case "administrator":
      return { ...facts, ...factsOfEntry(upsert) };
    case "authorization":
      throw new Error("assignments have a history of their own");
  }
}

function factsOfEntry({ userId, scope, roles }: Upsert & { readonly kind: "administrator" }) {
  if (roles.length === 0) throw new Error("administrator.roles: must not be empty");
  const { kind, ...ids } = scope;
  const [id = ""] = Object.values(ids);
  const within = `${kind}:${id}`;
  return {
    named: { id: userId, within, userId },
    places: kind === "instance" ? [] : [within],
    isInAnother: kind === "project" || kind === "projectGrant",
  };
}

const token: Readonly<Record<string, Rule>> = {
  id,
  userId: id,
  name: textOf(1, 200),
  creationDate: time,
  expirationDate: time,
  makerId: id,
};

function readToken(image: unknown): EventThing {
  requireFields("token", image, token, ["name", "expirationDate", "makerId"]);
  const read = image as Image & { readonly id: string; readonly userId: string };
  const named = { id: read.id, within: "", userId: read.userId };
  return { image: read, named, fixed: [], places: [], isInAnother: false };
}
