import { demoCustomers } from './customers.ts';

/**
 * Returns the page on which people sign in who come from a connect link. A real product has its own.
 * @param next the path to return to, see {@link pathOnThisHost}.
 */
export function signInPage(next: string): string {
  const choices = demoCustomers.map(
    ({ id, company, person }) => `<button name="customer" value="${id}">${person} · ${company}</button>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Sign in to Fieldbook</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/style.css" />
    <style>
      body { display: grid; min-block-size: 90vh; padding: 1.5rem; place-items: center; }
      form { display: grid; gap: 0.75rem; inline-size: min(22rem, 100%); }
      h1 { margin: 0; font-size: 1.375rem; }
      p { margin: 0 0 0.5rem; color: var(--quiet); }
      button {
        padding: 0.75rem 1rem; font: inherit; color: inherit; text-align: start; cursor: pointer;
        background: var(--card); border: 1px solid var(--field-line); border-radius: var(--radius-small);
      }
      button:hover { background: var(--hover); }
    </style>
  </head>
  <body>
    <form method="post" action="/sign-in?next=${encodeURIComponent(next)}">
      <h1>Sign in to Fieldbook</h1>
      <p>This is a demo, so there are no passwords.</p>
      ${choices.join('\n      ')}
    </form>
  </body>
</html>
`;
}

/** Returns a query parameter if it is a path on this host, and the start page otherwise. */
export function pathOnThisHost(next: unknown): string {
  const host = 'http://localhost';
  if (typeof next !== 'string' || !URL.canParse(next, host)) return '/';
  const { origin, pathname, search, hash } = new URL(next, host);
  // Browsers take two leading slashes for the start of a host name.
  return origin === host ? `${pathname.replace(/^\/+/, '/')}${search}${hash}` : '/';
}
