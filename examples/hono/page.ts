import { html } from 'hono/html';

type Notes = readonly { readonly title: string | null }[];

export const noteList = (notes: Notes) =>
  html`<section id="notes">
    <p role="status">${notes.length === 0 ? 'No notes' : ''}</p>
    <ul aria-label="Notes">
      ${notes.map(({ title }) => html`<li>${title ?? 'Untitled'}</li>`)}
    </ul>
  </section>`;

export const page = (notes: Notes, words: string) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Sources</title>
        <style>
          body {
            max-inline-size: 40rem;
            margin: 2rem auto;
            padding-inline: 1rem;
            font-family: system-ui, sans-serif;
          }
        </style>
        <script src="/connector-auth.js" defer></script>
        <script type="module">
          async function showNotes() {
            const response = await fetch('/notes' + location.search);
            if (response.ok) document.querySelector('#notes').outerHTML = await response.text();
          }
          document.addEventListener('connector-auth-connected', showNotes);
          document.addEventListener('connector-auth-disconnected', showNotes);
        </script>
      </head>
      <body>
        <h1>Sources</h1>
        <connector-auth token-url="/connector-auth/widget-token"></connector-auth>
        <h2>Notes</h2>
        <form role="search">
          <label>Search notes <input type="search" name="words" value="${words}" /></label>
          <button>Search</button>
        </form>
        ${noteList(notes)}
      </body>
    </html>`;
