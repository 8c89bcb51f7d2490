import Form from 'next/form';
import { redirect } from 'next/navigation';
import { readNotes } from '../server/notes.ts';
import { customerOfSession } from '../server/session.ts';
import { Sources } from './sources.tsx';

export default async function Page({ searchParams }: { searchParams: Promise<{ words?: string }> }) {
  const customer = await customerOfSession();
  if (customer === null) redirect('/sign-in');
  const { words = '' } = await searchParams;
  const notes = await readNotes(customer, words.trim());
  return (
    <>
      <h1>Sources</h1>
      <Sources />
      <h2>Notes</h2>
      <Form action="/" role="search">
        <label>
          Search notes <input type="search" name="words" defaultValue={words} />
        </label>{' '}
        <button>Search</button>
      </Form>
      <p role="status">{notes.length === 0 ? 'No notes' : ''}</p>
      <ul aria-label="Notes">
        {notes.map(({ id, title }) => (
          <li key={id}>{title ?? 'Untitled'}</li>
        ))}
      </ul>
    </>
  );
}
