/**
 * Whether an assignment `a` is for the user, project and organization of `other`. Only the index that begins with the user
 * fits. By plain equality of all three, Postgres can take another index to be as good, because an average place or project
 * has few assignments; then it reads a whole large place for each row. The equality of expressions, which no index has, is
 * for joins of whole files.
 */
export const isSameCombination = (a: string, other: string) => `
    ${a}.user_id = ${other}.user_id
    and ${a}.project_id || '' = ${other}.project_id and ${a}.organization_id || '' = ${other}.organization_id
    and (${a}.project_id, ${a}.organization_id)
      between (${other}.project_id, ${other}.organization_id) and (${other}.project_id, ${other}.organization_id)`;
