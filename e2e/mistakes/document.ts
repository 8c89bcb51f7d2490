import { pageMistakes, serverMistakes, type Mistake } from './mistakes.ts';

/** Returns the contents of `docs/troubleshooting.md`. */
export function troubleshooting(): string {
  return `# Troubleshooting

Each error says what to change. Your customers only see what concerns them, so look at:

- **the browser's console**: the widget writes one line per distinct problem, with its code and request id. The event
  \`connector-auth-error\` contains the same as \`{code, message, status, requestId}\`
- **the log of your backend**: \`connectorAuth()\` logs problems with status 500 or more, unless you set \`onError\`
- **the response** of a request to the service or your backend: \`detail\` says what to change, \`code\` is stable
- **the log of the service**, which has each request under its request id, and \`connector-auth-service doctor\`, which checks the
  service's configuration, database and network

The tests make each of these mistakes and compare the messages with this page, which is generated from them.

## In the browser's console

${table(
  ['Message (code)', 'Mistake', 'What customers see'],
  rows(pageMistakes).map(each => [messageOf(each), each.mistake, each.screen ?? '']),
)}

With a Content-Security-Policy, the page also needs the directives in the [widget's README](../widget/README.md#security). The browser
writes a line of its own for each violation, and for requests that CORS or mixed content blocks.

## In responses, logs and terminals

${table(
  ['Message (code)', 'Where', 'Mistake'],
  rows(serverMistakes).map(each => [messageOf(each), each.appears, each.mistake]),
)}

All packages except the widget require Node 22.19 or later. If the readiness probe of a process fails because its clock differs from that
of the database, synchronize both ([Clocks](operating/processes.md#clocks)). If the service does not start because a URL leads to a pooler in
transaction mode, set the other URL as well ([Behind a pooler](operating/pooler.md)).

If consents fail with \`issuer_missing\` in \`oauth_callback\` of the service's log, the vendor's redirect had a code without the
\`iss\` that this vendor always sends, so the code was not exchanged. Check that your proxy passes the whole query of
\`/oauth/callback\` on. With \`issuer_mismatch\`, the redirect named another vendor, or came to the callback path of another kind:
check the redirect URL that is registered at the vendor. If it is right, an attacker may have tried to mix up two vendors.
`;
}

function rows(mistakes: Readonly<Record<string, Mistake>>): readonly Mistake[] {
  return Object.values(mistakes);
}

function messageOf({ says, code }: Mistake): string {
  return code === null ? `\`${says}\`` : `\`${says}\` (\`${code}\`)`;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => '---'), ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n');
}
