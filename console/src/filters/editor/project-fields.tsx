import { DirectoryService, type ListedProject, ListedProjectSchema } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { ProjectPicker, ProjectsPicker } from "../../pickers/project-picker.tsx";
import type { IdFieldProps } from "./id-field.tsx";
import type { ListFieldProps } from "./list-field.tsx";

/** A project by its id. */
export function ProjectField({ label, id, problem, onChange }: IdFieldProps) {
  const { projects, know } = useProjects(id === "" ? [] : [id]);
  return (
    <ProjectPicker
      label={label}
      value={projects[0]}
      problem={problem}
      onChange={(project) => {
        know(project === undefined ? [] : [project]);
        onChange(project?.id ?? "");
      }}
    />
  );
}

/** Projects by their ids. */
export function ProjectsField({ label, list, problem, onChange }: ListFieldProps) {
  const { projects, know } = useProjects(list);
  return (
    <ProjectsPicker
      label={label}
      value={projects}
      problem={problem}
      onChange={(picked) => {
        know(picked);
        onChange(picked.map((project) => project.id));
      }}
    />
  );
}

/** The known projects with these ids: those just picked, and those that the service finds. */
function useProjects(ids: readonly string[]) {
  const [picked, know] = useState<readonly ListedProject[]>([]);
  const unknown = ids.filter((id) => !picked.some((project) => project.id === id));
  const { data } = useQuery(
    DirectoryService.method.listProjects,
    { filters: [{ filter: { case: "ids", value: { ids: unknown } } }], pagination: { skipTotal: true } },
    { enabled: unknown.length > 0 },
  );
  const known = [...picked, ...(data?.projects ?? [])];
  return {
    projects: ids.map((id) => known.find((project) => project.id === id) ?? create(ListedProjectSchema, { id })),
    know,
  };
}
