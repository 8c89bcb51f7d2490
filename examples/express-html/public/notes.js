const form = document.querySelector('form');

/** Calls one of the routes of the server helper. */
async function call(path, init) {
  const response = await fetch(`/connector-auth${path}`, init);
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail);
  return body;
}

/** Runs an action on the notes of the customer's Granola connector. */
async function execute(connector, action, params) {
  const { result } = await call(`/connectors/${connector.id}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ entity: 'notes', action, params }),
  });
  return result;
}

/** Lists the latest notes, or those whose title contains any of the words. */
async function readNotes(words) {
  const { data } = await call('/connectors?connector_type=granola');
  const [granola] = data;
  if (granola === undefined) return [];
  if (words === '') return execute(granola, 'list', { page_size: 20 });
  const query = { filter: { keyword: { title: words } }, sort: [{ created_at: 'desc' }] };
  return (await execute(granola, 'search', { query, limit: 20 })).data;
}

async function showNotes() {
  const status = document.querySelector('[role=status]');
  try {
    const notes = await readNotes(new FormData(form).get('words').trim());
    const items = notes.map(({ title }) => {
      const item = document.createElement('li');
      item.textContent = title ?? 'Untitled';
      return item;
    });
    document.querySelector('ul').replaceChildren(...items);
    status.textContent = notes.length === 0 ? 'No notes' : '';
  } catch (error) {
    status.textContent = error.message;
  }
}

form.addEventListener('submit', event => {
  event.preventDefault();
  void showNotes();
});
document.addEventListener('connector-auth-connected', () => void showNotes());
document.addEventListener('connector-auth-disconnected', () => void showNotes());
void showNotes();
