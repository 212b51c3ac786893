import "../directory-changes/directory-changes.css";
import { type CreateTokenResponse, TokenService } from "@authorization-service/client";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useId, useState } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { TextField } from "../directory-changes/text-field.tsx";
import { useRequest } from "../directory-changes/use-request.ts";
import { CopyButton } from "../panel/copy-button.tsx";
import { Moment } from "../parts/moment.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { tokenWords as words } from "../words/tokens.ts";

const secondsOfDay = 86_400n;
const lifetimes = [7, 30, 90, 365];
const usual = 90;

/** Creates a token, and then shows it: the service doesn't keep it, so this is the only time. */
export function CreateTokenDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const form = useId();
  const transport = useTransport();
  const [name, setName] = useState("");
  const [days, setDays] = useState(usual);
  const reason = useReason();
  const [created, setCreated] = useState<CreateTokenResponse>();
  const { isRunning, failure, request } = useRequest();

  async function create() {
    const lifetime = { seconds: BigInt(days) * secondsOfDay };
    setCreated(
      await createClient(TokenService, transport).createToken({ name, lifetime, userId, reason: reason.text }),
    );
  }

  if (created) return <CreatedToken created={created} onClose={onClose} />;
  return (
    <DialogFrame
      title={words.createTitle}
      isBusy={isRunning}
      onClose={onClose}
      actions={
        <button type="submit" form={form} className="primary" aria-disabled={isRunning || reason.isMissing}>
          {isRunning ? words.creating : words.create}
        </button>
      }
    >
      <form
        id={form}
        className="change-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!reason.isMissing) void request(create);
        }}
      >
        <TextField label={words.name} hint={words.nameHint} value={name} onChange={setName} />
        <label className="text-field">
          {words.lifetime}
          <select value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {lifetimes.map((lifetime) => (
              <option key={lifetime} value={lifetime}>
                {words.days(lifetime)}
              </option>
            ))}
          </select>
        </label>
        {reason.field}
        <ChangeFailure failure={failure} uncertain={words.uncertain} />
      </form>
    </DialogFrame>
  );
}

function CreatedToken({ created, onClose }: { created: CreateTokenResponse; onClose: () => void }) {
  return (
    <DialogFrame title={words.createdTitle} onClose={onClose} closeLabel={words.close}>
      <div className="new-token">
        <p>{words.onlyNow}</p>
        <code>{created.token}</code>
        <CopyButton text={created.token} what={words.theToken} />
      </div>
      <p>
        {words.ends} <Moment at={created.expirationDate} />
      </p>
      {created.shortened && <p>{words.shortened}</p>}
    </DialogFrame>
  );
}
