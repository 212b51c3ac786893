import "./first-steps.css";
import type { ListedProject, Organization } from "@authorization-service/client/directory";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useCaller } from "../caller.ts";
import { CreateDialog } from "../changes/create-dialog.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { Page, Section, Skeleton } from "../directory/page.tsx";
import { everywhere, mayChange } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { AddOrganizationDialog, AddProjectDialog } from "../directory-changes/named-dialogs.tsx";
import { RoleDialog } from "../directory-changes/role-dialog.tsx";
import { CopyButton } from "../panel/copy-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { addPeopleWords } from "../words/add-people.ts";
import { firstStepsWords as words } from "../words/first-steps.ts";
import { partWords } from "../words/parts.ts";
import { curlLines, packages, typescriptLines } from "./lines.ts";
import { type Chosen, useProgress } from "./use-progress.ts";

const route = getRouteApi("/first-steps");

/** Leads from an empty database to the first assignment, and to the lines that ask for it. */
export function FirstStepsPage() {
  const caller = useCaller();
  const navigate = route.useNavigate();
  const progress = useProgress(route.useSearch());
  const { failed, isLoading } = progress;
  if (caller && !mayChange(caller, "directory.write", everywhere))
    return <NotFound title={words.notAllowed} advice={words.notAllowedAdvice} />;
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
  const { id, name } = organization;
  const withRoles = project !== undefined && project.totalRoles > 0 ? project : undefined;
  const missing = !project ? "project" : !withRoles ? "roles" : people === 0 ? "people" : "assignments";
  // Who has an assignment has got there in another way.
  const next = assignments > 0 ? undefined : missing;
  /** Each with what there is, or else why it is needed, and what adds it. */
  const steps: readonly [step: keyof typeof words.steps, done: ReactNode, advice: string, add: ReactNode][] = [
    [
      "organization",
      <OrganizationLink key="organization" organization={organization} />,
      "",
      <DialogButton key="add" label={words.addOrganization}>
        {(close) => <AddOrganizationDialog onDone={(added) => onChoose({ organization: added })} onClose={close} />}
      </DialogButton>,
    ],
    [
      "project",
      project && <ProjectLink key="project" project={project} />,
      words.projectAdvice(name),
      <DialogButton key="add" label={words.addProject} isPrimary={next === "project"}>
        {(close) => (
          <AddProjectDialog
            organization={organization}
            onDone={(added) => onChoose({ organization: id, project: added })}
            onClose={close}
          />
        )}
      </DialogButton>,
    ],
    [
      "roles",
      withRoles && <RoleChips key="roles" roles={withRoles.roles} most={20} />,
      words.rolesAdvice,
      project && (
        <DialogButton key="add" label={words.addRoles} isPrimary={next === "roles"}>
          {(close) => <RoleDialog project={project} onClose={close} />}
        </DialogButton>
      ),
    ],
    [
      "people",
      people > 0 && words.people(people, name),
      words.peopleAdvice(name),
      project && (
        <Link
          key="add"
          className={next === "people" ? "button primary" : "button"}
          to="/add-people"
          search={{ organization: id, project: project.id }}
        >
          {addPeopleWords.open}
        </Link>
      ),
    ],
    [
      "assignments",
      assignments > 0 && words.lines.advice(assignments),
      words.assignmentsAdvice,
      withRoles && (
        <DialogButton key="add" label={partWords.newAssignment} isPrimary={next === "assignments"}>
          {(close) => <CreateDialog preset={{ organization: id, project: withRoles.id }} onClose={close} />}
        </DialogButton>
      ),
    ],
  ];
  return (
    <>
      <ol className="plain-list first-steps">
        {steps.map(([step, done, advice, add]) => (
          <li key={step} aria-current={step === next ? "step" : undefined}>
            <h2 className="row-name">
              {words.steps[step]}
              {done && <Check role="img" size={14} aria-label={words.isDone} />}
            </h2>
            <div className="muted">{done || advice}</div>
            <div className="page-actions">{add}</div>
          </li>
        ))}
      </ol>
      {project && assignments > 0 && <LinesStep organization={organization} project={project} />}
    </>
  );
}

/** The lines with which programs ask for the assignments. */
function LinesStep({ organization, project }: { organization: Organization; project: ListedProject }) {
  const asked = { baseUrl: location.origin, projectId: project.id, organizationId: organization.id };
  return (
    <Section title={words.steps.lines}>
      <p>
        {words.lines.token}{" "}
        <Link to="/account" search={{ open: "new-token" }}>
          {words.lines.toAccount}
        </Link>
      </p>
      <Lines title={words.lines.curl} text={curlLines(asked)} what={words.lines.copiesCurl} />
      <Lines title={words.lines.typescript} text={typescriptLines(asked)} what={words.lines.copiesTypescript} />
      <p>
        {words.lines.install}: <code>{packages}</code>
      </p>
    </Section>
  );
}

function Lines({ title, text, what }: { title: string; text: string; what: string }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <div className="line">
        <h3 id={heading}>{title}</h3>
        <CopyButton text={text} what={what} />
      </div>
      <pre className="lines-to-copy">
        <code>{text}</code>
      </pre>
    </section>
  );
}
