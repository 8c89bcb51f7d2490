/** Says that the role of the database connection must not change the schema, and what the operator can do. */
export class MissingRightsError extends Error {
  constructor(pending: readonly string[], cause: unknown) {
    super(
      `The database role must not change the schema, and these changes are pending: ${summarize(pending)}. ` +
        'Run "connector-auth-service migrate" with the DATABASE_URL of the role that owns the tables.',
      { cause },
    );
  }
}

/**
 * Runs a change of the schema, and replaces an error about missing rights.
 * @param pending what the change consists of, such as `migration 0001_tenants_and_connectors`.
 * @throws MissingRightsError
 */
export async function explainMissingRights<T>(
  pending: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    throw hasCode(error, insufficientPrivilege) ? new MissingRightsError(pending, error) : error;
  }
}

/** PostgreSQL's error code for missing rights. */
const insufficientPrivilege = '42501';

/** Returns whether an error, or one of its causes, has one of PostgreSQL's error codes. */
export function hasCode(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === code) || hasCode(error.cause, code);
}

const maxListed = 5;

function summarize(names: readonly string[]): string {
  const listed = names.slice(0, maxListed).join(', ');
  return names.length <= maxListed ? listed : `${listed} and ${names.length - maxListed} more`;
}
