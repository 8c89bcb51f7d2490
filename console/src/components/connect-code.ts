import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { codeBlock } from './code-block.ts';
import { DocumentElement } from './element.ts';
import { segments } from './segments.ts';

export interface Credentials {
  readonly serviceUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The organizations of the application. With several, the backend must name one. */
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
}

interface PackageJson {
  readonly description?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** An example app in `examples/`, by whose name `pnpm tarballs` packs the packages that it uses. */
export interface Stack {
  readonly name: string;
  readonly title: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The examples that contain the widget. */
export const stacks: readonly Stack[] = Object.entries(
  import.meta.glob<PackageJson>('../../../examples/*/package.json', { eager: true, import: 'default' }),
).flatMap(([path, { description: title = '', dependencies = {} }]) =>
  '@connector-auth/widget' in dependencies
    ? [{ name: path.split('/').at(-2) ?? '', title, dependencies }]
    : [],
);

const helperExamples = import.meta.glob<string>(
  '../../../server-helper/examples/{app,hono,next,options}.ts',
  {
    eager: true,
    query: '?raw',
    import: 'default',
  },
);

/** `<console-connect-code>`: shows the code that connects a backend and a page to the service. */
export class ConnectCode extends DocumentElement {
  @property({ attribute: false }) credentials!: Credentials;
  @state() private stack = 'express-html';

  readonly #choose = (name: string): void => {
    this.stack = name;
  };

  protected override render(): TemplateResult {
    const { credentials } = this;
    const hasSeveral = credentials.organizations.length > 1;
    const stack = stacks.find(({ name }) => name === this.stack);
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
    ${segments({
      name: 'stacks',
      label: 'Stack of your product',
      choices: stacks.map(({ name, title }) => [name, title] as const),
      chosen: this.stack,
      onChange: this.#choose,
    })}
    ${stack ? stackCode(stack, hasSeveral) : nothing}`;
  }
}

function stackCode(stack: Stack, hasSeveral: boolean): TemplateResult {
  const { install, needs, files } = codeFor(stack, hasSeveral);
  return html`${codeBlock('Install', install)}
    <p class="hint">
      The packages are not in a registry yet. Run this in a clone of the repository: it packs them, and prints
      a line that installs them in your app with npm, pnpm or
      Yarn.${
        needs.length > 0
          ? html` The code below also needs <code>npm install ${needs.join(' ')}</code>.`
          : nothing
      }
      The server needs Node 22.19 or later.
    </p>
    ${files.map(({ label, code }) => codeBlock(label, code))}
    <p class="hint">
      Replace <code>customerOf</code> with a lookup in your own session: it returns your name for the
      signed-in customer. A complete app is in <code>examples/${stack.name}</code> of the repository.
    </p>`;
}

/** Returns the command that packs our packages, the other packages that the code needs, and the code. */
export function codeFor({ name, dependencies }: Stack, hasSeveralOrganizations: boolean) {
  const helper = (file: string): string => {
    const code = helperExamples[`../../../server-helper/examples/${file}.ts`] ?? '';
    if (!hasSeveralOrganizations) return code;
    return code
      .replace("CLIENT_SECRET = '',", "CLIENT_SECRET = '', ORGANIZATION_ID = '',")
      .replace(/( +)clientSecret: CLIENT_SECRET,/, '$&\n$1organizationId: ORGANIZATION_ID,');
  };
  const uses = (dependency: string): boolean => dependency in dependencies;
  const backend = uses('next')
    ? { label: 'Backend: app/connector-auth/[...path]/route.ts', code: helper('next') }
    : uses('hono')
      ? { label: 'Backend: Hono', code: helper('hono') }
      : { label: 'Backend: Express', code: helper('app') };
  const page = uses('react') ? reactPage : uses('vue') || uses('lit') ? modulePage : scriptPage;
  return {
    install: `npx -y pnpm@12 tarballs ${name}`,
    needs: ['express', 'hono', '@hono/node-server', '@lit/react'].filter(uses),
    files: [
      ...(backend.code.includes('./options.ts')
        ? [{ label: 'Backend: options.ts', code: helper('options') }]
        : []),
      backend,
      { label: 'Page', code: page },
    ],
  };
}

const element = '<connector-auth token-url="/connector-auth/widget-token"></connector-auth>\n';

const reactPage = `'use client';
import { ConnectorAuth } from '@connector-auth/widget/react';

export const Sources = () => <ConnectorAuth tokenUrl="/connector-auth/widget-token" />;
`;

const modulePage = `<script type="module">
  import '@connector-auth/widget';
</script>
${element}`;

const scriptPage = `<!-- Serve the files in node_modules/@connector-auth/widget/dist -->
<script src="/connector-auth.js" defer></script>
${element}`;

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
