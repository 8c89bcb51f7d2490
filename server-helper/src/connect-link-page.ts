import { createHash } from 'node:crypto';
import { problemCodeHeader, type ConnectorAuthError, type ProblemCode } from '@connector-auth/api';
import type { PageResponse } from './page-response.ts';
import { headersOfError } from './problem-response.ts';

interface PageText {
  readonly title: string;
  readonly text: string;
  /** Whether the same browser can continue with the link. */
  readonly canContinue: boolean;
}

const failed: PageText = {
  title: 'Something went wrong',
  text: 'Nothing was connected. Try again in a few minutes.',
  canContinue: true,
};

const over: PageText = {
  title: 'This link no longer works',
  text: 'It expired, was cancelled, or was already used. Ask for a new one.',
  canContinue: false,
};

/** The errors that a person can do something about. All others are {@link failed}. */
const texts: Partial<Record<ProblemCode, PageText>> = {
  link_not_found: over,
  link_used: over,
  link_expired: over,
  link_revoked: over,
  link_code_invalid: {
    title: 'That took too long',
    text: 'Nothing was connected. Open the link again and continue within five minutes.',
    canContinue: true,
  },
  not_signed_in: {
    title: 'Sign in first',
    text: 'Sign in to your account in this browser, then open the link again.',
    canContinue: true,
  },
  customer_not_allowed: {
    title: 'This link is for a different account',
    text: 'Nothing was connected. Sign in to the account that the link is for and open it again, or ask for a new link.',
    canContinue: false,
  },
  malformed_request: {
    title: 'This address is incomplete',
    text: 'Open the link that you received again.',
    canContinue: false,
  },
  origin_not_allowed: {
    title: 'Open this link in its own window',
    text: 'Open the link that you received in a new tab of your browser.',
    canContinue: false,
  },
};

/**
 * Returns the page that says why a connect link did not continue.
 * @param linkUrl the link's page in the service, which this browser has already opened; null if it is unknown.
 */
export function connectLinkPage(error: ConnectorAuthError, linkUrl: string | null): PageResponse {
  const { title, text, canContinue } = texts[error.code] ?? failed;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${sha256(style)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    [problemCodeHeader.toLowerCase()]: error.code,
    ...headersOfError(error),
  };
  const again =
    canContinue && linkUrl !== null ? `<p><a href="${escape(linkUrl)}">Open the link again</a></p>` : '';
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
<p>${escape(text)}</p>
${again}
</main>
</body>
</html>
`;
  return { status: error.status, headers, body: html };
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { display: grid; min-block-size: 90vh; margin: 0; padding: 1.5rem; place-items: center; }
main { max-inline-size: 26rem; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; }
`;

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
