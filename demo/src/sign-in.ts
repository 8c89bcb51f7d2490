import type { Client } from '@connector-auth/api/client';

/** A source in the service's catalog. */
export interface OfferedSource {
  /** Key of the connector kind. */
  readonly key: string;
  /** Whether users can sign in at the vendor, for which an operator has to set up an OAuth app. */
  readonly hasSignIn: boolean;
}

/** Returns the sources that the service offers this application's customers. */
export async function listOfferedSources({
  definitions,
}: Pick<Client, 'definitions'>): Promise<readonly OfferedSource[]> {
  const catalog = await definitions.list();
  return Promise.all(
    catalog.definitions.map(async ({ sourceDefinitionId, connectorType }) => {
      const { auth_methods: methods } = await definitions.get(sourceDefinitionId);
      return { key: connectorType, hasSignIn: methods.some(({ type }) => type === 'oauth') };
    }),
  );
}
