import "../directory-changes/directory-changes.css";
import { type CreateTokenResponse, TokenService } from "@authorization-service/client";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useId, useState } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { TextField } from "../directory-changes/text-field.tsx";
import { CopyButton } from "../panel/copy-button.tsx";
import { Moment } from "../parts/moment.tsx";
import { changeWords } from "../words/directory-changes.ts";
import { tokenWords as words } from "../words/tokens.ts";
import { useTokenChange } from "./use-token-change.ts";

const secondsOfDay = 86_400n;
const lifetimes = [7, 30, 90, 365];
const usual = 90;

/** Creates a token, and then shows it: the service doesn't keep it, so this is the only time. */
export function CreateTokenDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const form = useId();
  const transport = useTransport();
  const [name, setName] = useState("");
  const [days, setDays] = useState(usual);
  const [reason, setReason] = useState("");
  const [created, setCreated] = useState<CreateTokenResponse>();
  const { isRunning, failure, change } = useTokenChange();

  async function create() {
    const lifetime = { seconds: BigInt(days) * secondsOfDay };
    setCreated(await createClient(TokenService, transport).createToken({ name, lifetime, userId, reason }));
  }

  if (created) return <CreatedToken created={created} onClose={onClose} />;
  return (
    <DialogFrame
      title={words.createTitle}
      isBusy={isRunning}
      onClose={onClose}
      actions={
        <button type="submit" form={form} className="primary" aria-disabled={isRunning}>
          {isRunning ? words.creating : words.create}
        </button>
      }
    >
      <form
        id={form}
        className="change-form"
        onSubmit={(event) => {
          event.preventDefault();
          void change(create);
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
        <TextField label={changeWords.reason} value={reason} onChange={setReason} longest={500} />
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
