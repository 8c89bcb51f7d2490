import { STATUS_CODES } from 'node:http';
import {
  ConnectorAuthError,
  endpoints,
  problemCodeHeader,
  problemCodes,
  problems,
  stringifyJson,
  toProblem,
  type Endpoint,
  type ErrorEvidence,
  type ProblemCode,
  type ProblemDescription,
} from '@connector-auth/api';
import { html } from '../../../shared/http/html.ts';
import type { Sample } from '../code.ts';
import { fromMarkdown, inline, md, type Content } from '../content.ts';
import { heading, lead, samples } from '../parts.ts';
import type { DocsPage } from '../site.ts';

/** An endpoint that can respond with an error code, and the address of its description. */
export interface Origin {
  readonly endpoint: Endpoint;
  readonly url: string;
}

/** Returns links to the pages of all error codes, grouped by status. */
export function errorCodes(): Content {
  const groups = [...Map.groupBy(problemCodes, code => problems[code].status)].toSorted(([a], [b]) => a - b);
  return md`
    ${groups.map(
      ([status, codes]) => md`
        ${heading(3, `status-${status}`, statusOf(status))}

        ${errorList(codes)}
      `,
    )}
  `;
}

function errorList(codes: readonly ProblemCode[]): Content {
  return {
    html: html`<ul class="errors">
      ${codes.map(
        code =>
          html`<li id="${code}">
            <a href="${pathOf(code)}"><code>${code}</code></a>
            <span>${inline(problems[code].repair).html}</span>
          </li>`,
      )}
    </ul>`,
    markdown: codes.map(code => `- [\`${code}\`](${pathOf(code)}): ${problems[code].repair}`).join('\n'),
  };
}

/** Returns a page for each error code. */
export function errorPages(originsOf: (code: ProblemCode) => readonly Origin[]): DocsPage[] {
  return problemCodes.map(code => {
    const { status, title, cause, repair, isLocal }: ProblemDescription = problems[code];
    return {
      path: pathOf(code),
      title: code,
      summary: `${title}. ${cause}`,
      group: 'Errors',
      parent: '/docs/errors',
      sections: [],
      terms: [],
      render: () => md`
        ${lead(isLocal ? `${title}.` : withStatus(status, title))}

        ## Cause

        ${inlineBlock(cause)}

        ## What to do

        ${inlineBlock(repair)}

        ## Example

        ${samples(code, [isLocal ? thrownExample(code) : responseExample(code)])}

        ${
          isLocal
            ? md`
The client reports this error itself: the service does not send it.
              `
            : origins(originsOf(code))
        }
      `,
    };
  });
}

function withStatus(status: number, title: string): string {
  const line = statusOf(status);
  return line.toLowerCase().endsWith(title.toLowerCase()) ? line : `${line}: ${title}.`;
}

function inlineBlock(text: string): Content {
  const { html: content, markdown } = inline(text);
  return { html: html`<p>${content}</p>`, markdown };
}

function origins(all: readonly Origin[]): Content {
  if (all.length === 0)
    return md`
Only endpoints for operators and your own server helper report it.
    `;
  if (all.length > Object.keys(endpoints).length / 2) {
    return md`
Most endpoints can report it. The [HTTP API](/docs/http) lists the error codes of each.
    `;
  }
  const links = all.map(({ endpoint: { method, path }, url }) => `- [\`${method} ${path}\`](${url})`);
  return fromMarkdown(`## Where it occurs\n\n${links.join('\n')}`, {});
}

function responseExample(code: ProblemCode): Sample {
  const { status, cause }: ProblemDescription = problems[code];
  const error = new ConnectorAuthError(code, cause.replaceAll('`', ''), evidenceOf(code));
  return {
    language: 'http',
    text: [
      `HTTP/1.1 ${statusOf(status)}`,
      ...(status === 429 || status === 503 ? ['Retry-After: 12'] : []),
      `${problemCodeHeader}: ${code}`,
      'Content-Type: application/problem+json',
      '',
      stringifyJson(toProblem(error, '0f6d8e57-4f0e-4a52-8f0c-6f7b5a1f2c3d'), 2),
    ].join('\n'),
  };
}

/** Returns what an error with the code says beyond its code and detail. */
function evidenceOf(code: ProblemCode): ErrorEvidence {
  const invalid = {
    malformed_request: 'customer_name',
    invalid_params: 'params.page_size',
    invalid_credentials: 'credentials.api_key',
  };
  if (code in invalid) {
    // The condition proves that the code is one of the names.
    return { errors: [{ path: invalid[code as keyof typeof invalid], message: 'Required' }] };
  }
  if (code === 'different_account') return { accounts: { current: '612-045-9183', given: '612-045-9184' } };
  const isOfVendor = code.startsWith('vendor_') && code !== 'vendor_timeout';
  if (!isOfVendor && code !== 'credentials_refused' && code !== 'reauthentication_required') return {};
  const status = code === 'vendor_rate_limited' ? 429 : code === 'vendor_failed' ? 500 : 403;
  return { vendor: { name: 'Example Vendor', status, code: null, message: "The vendor's own message" } };
}

function thrownExample(code: ProblemCode): Sample {
  const text = `import { ConnectorAuthError } from '@connector-auth/connectors';

export function handle(error: unknown): void {
  if (!(error instanceof ConnectorAuthError) || error.code !== '${code}') throw error;
  console.log(error.message);
}`;
  return { language: 'ts', text };
}

function pathOf(code: ProblemCode): string {
  return `/docs/errors/${code}`;
}

function statusOf(status: number): string {
  return `${status} ${statusNames[status] ?? ''}`;
}

/** Node.js has older names of two statuses, and lacks 499, which is not a standard one. */
const statusNames: Readonly<Record<number, string | undefined>> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  499: 'Cancelled by the client',
};
