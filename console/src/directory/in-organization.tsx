import { useOrganization } from "../history/removals.ts";
import { OrganizationPicker } from "../pickers/things.tsx";

type Props = { label: string; id: string | undefined; onChange: (id: string | undefined) => void };

/** Narrows a list down to one organization. */
export function InOrganization({ label, id, onChange }: Props) {
  const organization = useOrganization(id);
  return <OrganizationPicker label={label} value={organization} onChange={(picked) => onChange(picked?.id)} />;
}
