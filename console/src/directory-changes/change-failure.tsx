import { isUncertain } from "../changes/uncertain.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";

/** Why a change was refused. Without an answer, `uncertain` says what to do, because the change may have been made. */
export function ChangeFailure({ failure, uncertain }: { failure: unknown; uncertain: string }) {
  if (failure === undefined) return null;
  if (!isUncertain(failure)) return <FailureNotice error={failure} />;
  return (
    <section className="notice-failure" role="alert">
      <p>{uncertain}</p>
    </section>
  );
}
