import type { Authorization } from "@authorization-service/client";
import { createContext, use } from "react";
import { assignmentWords } from "../words/assignments.ts";

/** The names of organizations by id. */
export type Names = ReadonlyMap<string, string>;

/** The names of the organizations that granted the projects of the table. */
export const OwnerNames = createContext<Names | undefined>(undefined);

/** A project, and who granted it. */
export function ProjectCell({ row, isOwned }: { row: Authorization; isOwned: boolean }) {
  const names = use(OwnerNames);
  const owner = names?.get(row.project?.organizationId ?? "") ?? assignmentWords.anotherOrganization;
  const granted = names === undefined ? assignmentWords.granted : assignmentWords.grantedBy(owner);
  return (
    <div className="lines">
      <bdi>{row.project?.name}</bdi>
      <span className="muted">{isOwned ? assignmentWords.owned : granted}</span>
    </div>
  );
}
