import { adminEndpoints } from './contract/admin/endpoints.ts';
import { describeContract, type OpenApiDocument } from './openapi.ts';

/**
 * Returns the OpenAPI 3.1 document for operators.
 * @param serverUrl the base URL of the address that serves the administration, without a trailing slash.
 */
export function adminOpenApiDocument(serverUrl: string, version: string): OpenApiDocument {
  return describeContract(
    {
      title: 'Agent Data Access Service: administration',
      description: 'Sets up and runs the service. The console and the command line use the same endpoints.',
      endpoints: adminEndpoints,
      tags: {},
      securitySchemes: {
        adminKey: { type: 'http', scheme: 'bearer', description: 'Admin key, or ADMIN_TOKEN' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-connector-auth-admin',
          description: 'Session of the console. Over http, the cookie has no `__Host-` prefix.',
        },
      },
      callerHeaders: [],
      // Pages of other origins.
      problems: [403],
      components: new Map(),
    },
    serverUrl,
    version,
  );
}
