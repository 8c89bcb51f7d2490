import { ConnectorAuth } from '@connector-auth/widget/react';
import { useEffect, useState } from 'react';

interface Note {
  readonly id: string;
  readonly title: string | null;
}

export function App() {
  const [notes, setNotes] = useState<readonly Note[] | null>(null);
  const [words, setWords] = useState('');
  const [changes, setChanges] = useState(0);
  const reload = () => setChanges(count => count + 1);

  // At first, for each search, and after a source was connected or disconnected.
  useEffect(() => {
    const leaving = new AbortController();
    readNotes(words, leaving.signal).then(setNotes, () => {});
    return () => leaving.abort();
  }, [words, changes]);

  return (
    <>
      <h1>Sources</h1>
      <ConnectorAuth tokenUrl="/connector-auth/widget-token" onConnected={reload} onDisconnected={reload} />
      <h2>Notes</h2>
      <form role="search" action={data => setWords(String(data.get('words')))}>
        <label>
          Search notes <input type="search" name="words" />
        </label>{' '}
        <button>Search</button>
      </form>
      <p role="status">{notes?.length === 0 ? 'No notes' : ''}</p>
      <ul aria-label="Notes">
        {notes?.map(({ id, title }) => (
          <li key={id}>{title ?? 'Untitled'}</li>
        ))}
      </ul>
    </>
  );
}

async function readNotes(words: string, signal: AbortSignal): Promise<readonly Note[]> {
  const response = await fetch(`/api/notes?${new URLSearchParams({ words })}`, { signal });
  if (!response.ok) throw new Error(`Reading the notes failed: ${response.status}`);
  return response.json();
}
