import { html, nothing, type TemplateResult } from 'lit';
import { codeBlock } from './code-block.ts';

export interface Credentials {
  readonly serviceUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The organizations of the application. With several, the backend must name one. */
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
}

/** Renders the code that connects a backend and a page to the service. */
export function connectCode(credentials: Credentials): TemplateResult {
  const hasSeveral = credentials.organizations.length > 1;
  return html`${environmentCode(credentials)}
    ${
      hasSeveral
        ? nothing
        : html`${codeBlock('Try it with the demo product', demoCommand(credentials))}
            <p class="hint">
              The quickest way to see the widget: run this in a clone of the repository. If the service was
              started with <code>SANDBOX_URL</code>, add the same variable. The code below is for your own
              product.
            </p>`
    }
    ${codeBlock('Backend (Express)', backendSnippet(hasSeveral))} ${codeBlock('Page', pageSnippet)}
    <p class="hint">
      Install the packages with
      <code>npm i @connector-auth/server-helper @connector-auth/widget express</code>. Replace
      <code>customerOf</code> with a lookup in your own session: it returns your name for the signed-in
      customer.
    </p>`;
}

/** Renders the variables that the backend reads. */
export function environmentCode(credentials: Credentials): TemplateResult {
  return codeBlock('Environment', environmentBlock(credentials));
}

/** Returns the variables that the README of the server helper uses. */
export function environmentBlock({ serviceUrl, clientId, clientSecret, organizations }: Credentials): string {
  const [first] = organizations;
  return [
    `SERVICE_URL=${serviceUrl}`,
    `CLIENT_ID=${clientId}`,
    `CLIENT_SECRET=${clientSecret}`,
    ...(organizations.length > 1 && first ? [`ORGANIZATION_ID=${first.id}`] : []),
  ].join('\n');
}

/** Returns the command that starts the demo product with an application, as in the README. */
export function demoCommand(credentials: Credentials): string {
  return `${environmentBlock(credentials).replaceAll('\n', ' ')} npx -y pnpm@12 demo`;
}

/** Returns the example in the README of the server helper. */
export function backendSnippet(hasSeveralOrganizations: boolean): string {
  const variables = hasSeveralOrganizations
    ? `const {
  SERVICE_URL = '',
  CLIENT_ID = '',
  CLIENT_SECRET = '',
  ORGANIZATION_ID = '',
  PAGE = 'http://localhost:3000',
} = process.env;`
    : `const { SERVICE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', PAGE = 'http://localhost:3000' } = process.env;`;
  return `import { connectorAuth } from '@connector-auth/server-helper';
import express from 'express';
import { customerOf } from './session.ts';

${variables}
const connect = connectorAuth({
  baseUrl: SERVICE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,${hasSeveralOrganizations ? '\n  organizationId: ORGANIZATION_ID,' : ''}
  allowedOrigins: [PAGE],
  resolveCustomer: request => customerOf(request),
});
express()
  .use('/connector-auth', connect)
  .listen(process.env.PORT ?? 3000);
`;
}

const pageSnippet = `<script type="module">
  import '@connector-auth/widget';
</script>
<connector-auth token-url="/connector-auth/widget-token"></connector-auth>
`;
