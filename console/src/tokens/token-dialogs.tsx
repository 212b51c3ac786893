import { type CreateTokenResponse, type Token, TokenService } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useState } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { RequestDialog } from "../directory-changes/change-dialog.tsx";
import { TextField } from "../directory-changes/text-field.tsx";
import { CopyButton } from "../panel/copy-button.tsx";
import { Moment } from "../parts/moment.tsx";
import { settings } from "../settings.ts";
import { passOver } from "../undo/undoables.ts";
import { changeWords } from "../words/directory-changes.ts";
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
  const client = createClient(TokenService, useTransport());
  const [name, setName] = useState("");
  const [now] = useState(() => Date.now());
  const offered = lifetimes(settings.longestTokenSeconds, end, now);
  const [chosen, setChosen] = useState<number>();
  const lifetime = offered.find(({ seconds }) => seconds === chosen) ?? presetOf(offered);
  const [created, setCreated] = useState<CreateTokenResponse>();

  const create = async (reason: string) => {
    const asked = lifetime && { lifetime: { seconds: BigInt(lifetime.seconds) } };
    setCreated(await client.createToken({ name, userId, reason, ...asked }));
    passOver();
    return undefined;
  };

  if (created) {
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
      </DialogFrame>
    );
  }
  return (
    <RequestDialog
      title={words.createTitle}
      verb={words.create}
      isReady={name.trim() !== ""}
      uncertain={words.uncertain}
      run={create}
      onClose={onClose}
    >
      <TextField label={words.name} hint={words.nameHint} value={name} isRequired onChange={setName} />
      <label className="field">
        {words.lifetime}
        <select value={lifetime?.seconds} onChange={({ target }) => setChosen(Number(target.value))}>
          {offered.map(({ seconds, name: title }) => (
            <option key={seconds} value={seconds}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {end && <p className="hint">{words.shorterThanYours}</p>}
    </RequestDialog>
  );
}

/** Says what revoking a token takes along, and asks. */
export function RevokeTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const client = createClient(TokenService, useTransport());
  return (
    <RequestDialog
      title={words.revokeTitle(token.name || words.unnamed)}
      verb={words.revoke}
      isDangerous
      uncertain={words.uncertain}
      run={async (reason) => words.revoked((await client.revokeToken({ id: token.id, reason })).revoked)}
      onClose={onClose}
    >
      <p>{words.revokeAdvice}</p>
      {token.current && <p>{words.revokeCurrent}</p>}
      <p>{changeWords.noUndo}</p>
    </RequestDialog>
  );
}
