/**
 * Runs a change of the schema, and replaces an error about missing rights.
 * @param pending what the change consists of, such as `migration 0001_tenants_and_connectors`.
 * @throws Error with a message for the operator if the role of the database connection must not change the
 * schema.
 */
export async function explainMissingRights<T>(
  pending: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!isDenied(error)) throw error;
    throw new Error(
      `The database role must not change the schema, and these changes are pending: ${summarize(pending)}. ` +
        'Run "connector-auth-service migrate" with the DATABASE_URL of the role that owns the tables, then start the service.',
      { cause: error },
    );
  }
}

/** PostgreSQL's error code for missing rights. */
const insufficientPrivilege = '42501';

function isDenied(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === insufficientPrivilege) || isDenied(error.cause);
}

const maxListed = 5;

function summarize(names: readonly string[]): string {
  const listed = names.slice(0, maxListed).join(', ');
  return names.length <= maxListed ? listed : `${listed} and ${names.length - maxListed} more`;
}
