/** Escaped HTML, created only by the `html` tag. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Html | string | number | null | undefined | false | readonly Piece[];

/**
 * Template tag that escapes every value except nested `html` results; null, undefined and false render as an
 * empty string.
 */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(pieces[index - 1]) + part));
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(render).join('');
  return String(piece).replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** Renders a complete page in the sandbox's style, without external resources or scripts. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.text;
}

/**
 * Response headers for the sandbox's pages. They block scripts, external resources and framing, and omit the
 * referrer, which could leak the query.
 */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const STYLE = new Html(`
:root {
  --ground: #f4f5f7; --paper: #fff; --ink: #16191f; --quiet: #5a6270; --line: #dde0e6; --hover: #f4f5f7;
  --accent: #272d38; --on-accent: #fff; --bad: #a4321f;
  accent-color: var(--accent); font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1014; --paper: #181b21; --ink: #eceef2; --quiet: #a3abb8; --line: #333945; --hover: #21252d;
    --accent: #e7eaf0; --on-accent: #14171c; --bad: #ff9d8a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 3rem; }
body:has(main.sign-in) { min-block-size: 100dvh; padding: 1rem; display: grid; place-items: center; }
main { max-width: 60rem; margin: 0 auto; }
main.sign-in {
  inline-size: 100%; max-inline-size: 28rem; max-block-size: calc(100dvh - 2rem); padding: 1.5rem;
  display: flex; flex-direction: column; background: var(--paper); border: 1px solid var(--line); border-radius: 16px;
}
.sign-in header { display: flex; align-items: center; gap: .625rem; margin-block-end: 1.25rem; }
.sign-in header strong { flex: 1; font-weight: 600; }
.sign-in .badge { margin: 0; }
.letter { inline-size: 2rem; block-size: 2rem; display: grid; place-items: center; border-radius: 8px; background: var(--accent); color: var(--on-accent); font-weight: 650; }
.sign-in h1 { font-size: 1.3125rem; letter-spacing: -.01em; margin-block-end: .75rem; text-wrap: balance; }
.sign-in form { min-block-size: 8rem; display: flex; flex-direction: column; }
.sign-in p { font-size: .9375rem; } .sign-in ul { font-size: .9375rem; color: var(--quiet); }
.scroller { overflow: auto; min-block-size: 0; margin-inline: -1.5rem; padding-inline: 1.5rem; padding-block-end: 1rem; }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; min-inline-size: 0; }
legend { padding: 0 0 .375rem; color: var(--quiet); font-size: .875rem; }
.choice { display: flex; gap: .75rem; align-items: center; padding: .625rem .875rem; border: 1px solid var(--line); border-radius: 10px; cursor: pointer; overflow-wrap: anywhere; }
.choice + .choice, details .choice { margin-block-start: .5rem; }
.choice:hover { background: var(--hover); }
.choice:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choice input { flex: none; inline-size: 1.125rem; block-size: 1.125rem; margin: 0; }
.choice small { display: block; color: var(--quiet); font-size: .8125rem; }
summary { inline-size: fit-content; padding-block: .625rem; color: var(--quiet); font-size: .875rem; cursor: pointer; border-radius: 4px; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .5rem 0; } .quiet { color: var(--quiet); } .bad { color: var(--bad); }
.badge { display: inline-block; border: 1px solid var(--line); border-radius: 99px; padding: 0 .6rem; font-size: .8rem; color: var(--quiet); margin-block-end: 1rem; }
section.card { background: var(--paper); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.25rem; margin-block: 1rem; }
section.card h2 { margin-top: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .25rem 0 1rem; }
dt { color: var(--quiet); } dd { margin: 0; min-width: 0; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; user-select: all; }
ul { padding-inline-start: 1.2rem; margin: .5rem 0; }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin: 0 -1.5rem; padding: 1rem 1.5rem 0; border-block-start: 1px solid var(--line); }
button { font: inherit; font-weight: 600; min-block-size: 2.75rem; padding: .5rem 1rem; border-radius: 10px; border: 1px solid var(--line); cursor: pointer; background: none; color: var(--ink); }
button:hover { background: var(--hover); }
button.primary, button.primary:hover { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`);
