import "../directory-changes/directory-changes.css";
import { type CreateTokenResponse, TokenService } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
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
import { settings } from "../settings.ts";
import { passOver } from "../undo/undoables.ts";
import { tokenWords as words } from "../words/tokens.ts";
import { lifetimes, presetOf } from "./lifetimes.ts";

type Props = {
  userId: string;
  isOwn: boolean;
  /** When the token ends that the new one must not outlive, if there is one. */
  end: Timestamp | undefined;
  onClose: () => void;
};

/** Creates a token, and then shows it: the service doesn't keep it, so this is the only time. */
export function CreateTokenDialog({ userId, isOwn, end, onClose }: Props) {
  const field = useId();
  const transport = useTransport();
  const [name, setName] = useState("");
  const [now] = useState(() => Date.now());
  const offered = lifetimes(settings.longestTokenSeconds, end, now);
  const [chosen, setChosen] = useState<number>();
  const lifetime = offered.find(({ seconds }) => seconds === chosen) ?? presetOf(offered);
  const reason = useReason();
  const [created, setCreated] = useState<CreateTokenResponse>();
  const { isRunning, failure, request } = useRequest();

  async function create() {
    const asked = {
      name,
      userId,
      reason: reason.text,
      ...(lifetime && { lifetime: { seconds: BigInt(lifetime.seconds) } }),
    };
    setCreated(await createClient(TokenService, transport).createToken(asked));
    passOver();
  }

  const isSurprising = created?.shortened && !lifetime?.isAsLongAsTheirs;
  if (created)
    return <CreatedToken isOwn={isOwn} created={created} isShortened={isSurprising === true} onClose={onClose} />;
  return (
    <DialogFrame
      title={words.createTitle}
      isBusy={isRunning}
      onClose={onClose}
      form={{}}
      send={{
        label: isRunning ? words.creating : words.create,
        isReady: name.trim() !== "" && !reason.isMissing && !isRunning,
        run: () => void request(create),
      }}
    >
      <TextField label={words.name} hint={words.nameHint} value={name} isRequired onChange={setName} />
      <div className="field">
        <label htmlFor={field}>{words.lifetime}</label>
        <select
          id={field}
          value={lifetime?.seconds}
          aria-describedby={end && `${field}-hint`}
          onChange={({ target }) => setChosen(Number(target.value))}
        >
          {offered.map(({ seconds, name: title }) => (
            <option key={seconds} value={seconds}>
              {title}
            </option>
          ))}
        </select>
        {end && (
          <span id={`${field}-hint`} className="hint">
            {words.shorterThanYours}
          </span>
        )}
      </div>
      {reason.field}
      <ChangeFailure failure={failure} uncertain={words.uncertain} />
    </DialogFrame>
  );
}

type CreatedProps = {
  isOwn: boolean;
  created: CreateTokenResponse;
  /** Whether it ends earlier than was chosen. */
  isShortened: boolean;
  onClose: () => void;
};

function CreatedToken({ isOwn, created, isShortened, onClose }: CreatedProps) {
  return (
    <DialogFrame title={words.createdTitle(isOwn)} onClose={onClose} closeLabel={words.close}>
      <div className="note">
        <p>{words.onlyNow}</p>
        <code>{created.token}</code>
        <CopyButton text={created.token} what={words.theToken} />
      </div>
      <p>
        {words.ends} <Moment at={created.expirationDate} />
      </p>
      {isShortened && <p>{words.shortened}</p>}
    </DialogFrame>
  );
}
