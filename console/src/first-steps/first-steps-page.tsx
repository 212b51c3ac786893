import "../changes/changes.css";
import "../directory-changes/directory-changes.css";
import "./first-steps.css";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { useEffect, useRef } from "react";
import { useCaller } from "../caller.ts";
import { NotFound } from "../directory/not-found.tsx";
import { Page, Skeleton } from "../directory/page.tsx";
import { everywhere, mayChange } from "../directory/rights.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { firstStepsWords as words } from "../words/first-steps.ts";
import { AssignStep } from "./assign-step.tsx";
import { LinesStep } from "./lines-step.tsx";
import { OrganizationStep } from "./organization-step.tsx";
import { PeopleStep } from "./people-step.tsx";
import { ProjectStep } from "./project-step.tsx";
import { RolesStep } from "./roles-step.tsx";
import { type FirstStepsSearch, readFirstStepsSearch, type Step, steps } from "./search.ts";
import type { StepProps } from "./step-props.ts";
import { useProgress } from "./use-progress.ts";

const route = getRouteApi("/first-steps");

/** Leads from an empty database to the first assignment, and to the lines that ask for it. */
export function FirstStepsPage() {
  const search = readFirstStepsSearch(route.useSearch());
  const caller = useCaller();
  if (caller && !mayChange(caller, "directory.write", everywhere)) {
    return (
      <NotFound title={words.notAllowed} advice={words.notAllowedAdvice}>
        <Link to="/assignments">{words.toAssignments}</Link>
      </NotFound>
    );
  }
  return <FirstSteps search={search} />;
}

function FirstSteps({ search }: { search: FirstStepsSearch }) {
  const navigate = route.useNavigate();
  const progress = useProgress(search);
  const { done, isLoading, failed, organization, project } = progress;
  const step = search.step ?? steps.find((one) => !done.has(one)) ?? "lines";
  const chosen: FirstStepsSearch = {
    ...(organization && { organization: organization.id }),
    ...(project && { project: project.id }),
  };
  return (
    <Page name={words.title} about={step}>
      <p className="muted">{words.leave}</p>
      <Steps current={step} done={done} chosen={chosen} />
      {failed ? (
        <FailureNotice error={failed.error} onRetry={failed.retry} />
      ) : isLoading ? (
        <Skeleton />
      ) : (
        <StepSection
          key={step}
          step={step}
          progress={progress}
          chosen={chosen}
          onNext={(next) => void navigate({ search: next })}
        />
      )}
    </Page>
  );
}

type StepsProps = { current: Step; done: ReadonlySet<Step>; chosen: FirstStepsSearch };

/** A step can be opened once everything before it is done, and again at any time. */
function Steps({ current, done, chosen }: StepsProps) {
  const needed: Record<Step, Step | undefined> = {
    organization: undefined,
    project: "organization",
    roles: "project",
    people: "organization",
    assignments: "roles",
    lines: "project",
  };
  return (
    <nav aria-label={words.progress}>
      <ol className="first-steps">
        {steps.map((step) => {
          const before = needed[step];
          const label = (
            <>
              {done.has(step) && <Check aria-hidden="true" />}
              {words.steps[step]}
              {done.has(step) && <span className="visually-hidden"> ({words.isDone})</span>}
            </>
          );
          return (
            <li key={step} aria-current={step === current ? "step" : undefined}>
              {before === undefined || done.has(before) ? (
                <Link to="/first-steps" search={{ ...chosen, step }}>
                  {label}
                </Link>
              ) : (
                <span className="muted">{label}</span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

const sections = {
  organization: OrganizationStep,
  project: ProjectStep,
  roles: RolesStep,
  people: PeopleStep,
  assignments: AssignStep,
  lines: LinesStep,
} as const;

function StepSection({ step, ...props }: StepProps & { step: Step }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const Section = sections[step];
  // What had the focus belongs to another step. Steps with a field begin in it.
  useEffect(() => {
    if (!heading.current?.parentElement?.contains(document.activeElement)) heading.current?.focus();
  }, []);
  return (
    <section className="page-section first-step">
      <h2 ref={heading} tabIndex={-1}>
        {words.steps[step]}
      </h2>
      <Section {...props} />
    </section>
  );
}
