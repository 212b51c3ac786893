import type { ListedProject } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import { mayChange } from "../directory/rights.ts";
import { NamedActions } from "../directory-changes/named-actions.tsx";
import { namedChangeWords as words } from "../words/directory-changes.ts";

/** Renames or removes a project, for those who may. */
export function ProjectActions({ project }: { project: ListedProject }) {
  const { id, name, organizationId } = project;
  if (!mayChange(useCaller(), "project.write", { organizationId, projectId: id })) return null;
  return (
    <NamedActions
      name={name}
      consequences={words.removeProjectAdvice}
      remove={{ case: "projectId", value: id }}
      after="/projects"
      changeTo={(name) => ({ change: { case: "project", value: { id, name, organizationId } } })}
    />
  );
}
