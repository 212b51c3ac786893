import "./first-steps.css";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useCaller } from "../caller.ts";
import { CreateDialog } from "../changes/create-dialog.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { Page, Skeleton } from "../directory/page.tsx";
import { everywhere, mayChange } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { AddOrganizationDialog, AddProjectDialog } from "../directory-changes/named-dialogs.tsx";
import { RoleDialog } from "../directory-changes/role-dialog.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { addPeopleWords } from "../words/add-people.ts";
import { firstStepsWords as words } from "../words/first-steps.ts";
import { partWords } from "../words/parts.ts";
import { LinesStep } from "./lines-step.tsx";
import { type Chosen, useProgress } from "./use-progress.ts";

const route = getRouteApi("/first-steps");

/** Leads from an empty database to the first assignment, and to the lines that ask for it. */
export function FirstStepsPage() {
  const caller = useCaller();
  if (caller && !mayChange(caller, "directory.write", everywhere)) {
    return (
      <NotFound title={words.notAllowed} advice={words.notAllowedAdvice}>
        <Link to="/assignments">{words.toAssignments}</Link>
      </NotFound>
    );
  }
  return <FirstSteps />;
}

function FirstSteps() {
  const navigate = route.useNavigate();
  const progress = useProgress(route.useSearch());
  const { failed, isLoading } = progress;
  return (
    <Page name={words.title} about="first-steps">
      <p className="muted">{words.leave}</p>
      {failed ? (
        <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />
      ) : isLoading ? (
        <Skeleton rows={5} />
      ) : (
        <Steps progress={progress} onChoose={(search) => void navigate({ search })} />
      )}
    </Page>
  );
}

type StepsProps = { progress: ReturnType<typeof useProgress>; onChoose: (search: Chosen) => void };

/** What there is by now, and the ordinary dialogs that add the rest. A step waits for those that it needs. */
function Steps({ progress: { organization, project, people, assignments }, onChoose }: StepsProps) {
  if (organization === undefined) return null;
  const hasRoles = project !== undefined && project.totalRoles > 0;
  const chosen = { organization: organization.id, ...(project && { project: project.id }) };
  const next = project === undefined ? "project" : !hasRoles ? "roles" : people === 0 ? "people" : "assignments";
  const isNext = (step: typeof next) => step === next && assignments === 0;
  return (
    <>
      <ol className="first-steps">
        <Step name={words.steps.organization} isDone says={<OrganizationLink organization={organization} />}>
          <DialogButton label={words.addOrganization}>
            {(close) => <AddOrganizationDialog onDone={(id) => onChoose({ organization: id })} onClose={close} />}
          </DialogButton>
        </Step>
        <Step
          name={words.steps.project}
          isDone={project !== undefined}
          isNext={isNext("project")}
          says={project ? <ProjectLink project={project} /> : words.projectAdvice(organization.name)}
        >
          <DialogButton label={words.addProject} isPrimary={isNext("project")}>
            {(close) => (
              <AddProjectDialog
                organization={organization}
                onDone={(id) => onChoose({ organization: organization.id, project: id })}
                onClose={close}
              />
            )}
          </DialogButton>
        </Step>
        <Step
          name={words.steps.roles}
          isDone={hasRoles}
          isNext={isNext("roles")}
          says={hasRoles ? <RoleChips roles={project.roles} most={20} /> : words.rolesAdvice}
        >
          {project && (
            <DialogButton label={words.addRoles} isPrimary={isNext("roles")}>
              {(close) => <RoleDialog project={project} onClose={close} />}
            </DialogButton>
          )}
        </Step>
        <Step
          name={words.steps.people}
          isDone={people > 0}
          isNext={isNext("people")}
          says={people > 0 ? words.people(people, organization.name) : words.peopleAdvice(organization.name)}
        >
          {project && (
            <Link
              className={isNext("people") ? "button primary" : "button"}
              to="/add-people"
              search={{ organization: organization.id, project: project.id }}
            >
              {addPeopleWords.open}
            </Link>
          )}
        </Step>
        <Step
          name={words.steps.assignments}
          isDone={assignments > 0}
          isNext={isNext("assignments")}
          says={assignments > 0 ? words.lines.advice(assignments) : words.assignmentsAdvice}
        >
          {hasRoles && (
            <DialogButton label={partWords.newAssignment} isPrimary={isNext("assignments")}>
              {(close) => <CreateDialog preset={chosen} onOpen={close} onClose={close} />}
            </DialogButton>
          )}
        </Step>
      </ol>
      {project && assignments > 0 && <LinesStep organization={organization} project={project} />}
    </>
  );
}

type StepProps = {
  name: string;
  isDone: boolean;
  isNext?: boolean;
  /** What there is, or why something is needed. */
  says: ReactNode;
  children: ReactNode;
};

function Step({ name, isDone, isNext = false, says, children }: StepProps) {
  return (
    <li aria-current={isNext ? "step" : undefined}>
      <h2>
        {name}
        {isDone && <Check role="img" aria-label={words.isDone} />}
      </h2>
      <div className="muted">{says}</div>
      <div className="page-actions">{children}</div>
    </li>
  );
}
