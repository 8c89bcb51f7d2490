import { Router, type ErrorRequestHandler, type Request, type Response } from 'express';
import { openCursor, sealCursor } from '../simulator/cursors.ts';
import { sendReply } from '../simulator/reply.ts';
import type { Note } from './note.ts';
import { badRequest, GranolaError, readPageSize, readText, readTime, type Query } from './requests.ts';
import { toWireNote, toWireSummary } from './to-wire.ts';
import { newestFirst, withChildren, type Workspace } from './workspace.ts';

/** An authenticated caller. */
export interface Caller {
  readonly workspace: Workspace;
  /**
   * The email address of a personal key's owner, which restricts the notes that the key returns. Null for a
   * workspace key.
   */
  readonly personEmail: string | null;
}

/**
 * The maximum length of an inline transcript. Longer ones return 413 and must be read from the transcript
 * endpoint.
 */
const INLINE_SEGMENT_LIMIT = 400;

/** Serves Granola's API. `authenticate` throws a `GranolaError` for an invalid key. */
export function granolaRoutes(authenticate: (request: Request) => Caller): Router {
  const router = Router();

  router.get('/v1/notes', (request, response) => {
    const caller = authenticate(request);
    const filters = readFilters(request.query, caller.workspace);
    const matching = visibleNotes(caller).filter(note => filters.accepts(note));
    const { items, rest } = takePage(matching, {
      query: request.query,
      boundTo: [caller.workspace.account.id, caller.personEmail, filters.key],
      pageSize: readPageSize(request.query, 30, 10),
      positionOf: note => ({ t: note.createdMs, k: note.id }),
      isAfter: (note, { t, k }) => newestFirst({ createdMs: Number(t), id: String(k) }, note) < 0,
      lastCursor: caller.workspace.account.lastCursor,
    });
    response.json({ notes: items.map(toWireSummary), ...rest });
  });

  router.get('/v1/notes/:id', (request, response) => {
    const caller = authenticate(request);
    const include = readText(request.query, 'include');
    if (include !== undefined && include !== 'transcript') throw badRequest('include must be transcript');
    const note = findNote(caller, request.params.id);
    const transcript = include === 'transcript' ? note.transcript() : null;
    if (transcript && transcript.length > INLINE_SEGMENT_LIMIT) {
      throw new GranolaError(413, 'TRANSCRIPT_TOO_LARGE', 'Use the transcript endpoint');
    }
    response.json(toWireNote(note, transcript, caller.personEmail));
  });

  router.get('/v1/notes/:id/transcript', (request, response) => {
    const caller = authenticate(request);
    const note = findNote(caller, request.params.id);
    const numbered = note.transcript().map((segment, index) => ({ segment, index }));
    const { items, rest } = takePage(numbered, {
      query: request.query,
      boundTo: ['transcript', note.id],
      pageSize: readPageSize(request.query, 100, 50),
      positionOf: ({ index }) => ({ i: index }),
      isAfter: ({ index }, { i }) => index > Number(i),
      lastCursor: 'null',
    });
    response.json({ transcript: items.map(({ segment }) => segment), ...rest });
  });

  router.use((request, _response) => {
    authenticate(request);
    throw new GranolaError(404, 'NOT_FOUND', 'Not found');
  });
  router.use(handleError);
  return router;
}

const handleError: ErrorRequestHandler = (error: unknown, _request, response: Response, next) => {
  if (!(error instanceof GranolaError)) return next(error);
  const { status, code, message } = error;
  return sendReply(response, { status, body: { code, message } });
};

function visibleNotes({ workspace, personEmail }: Caller): Note[] {
  const isTheirs = (note: Note): boolean =>
    personEmail === null ||
    note.owner.email === personEmail ||
    note.details().attendees.some(({ email }) => email === personEmail);
  return workspace.notes().filter(note => note.isFinished && isTheirs(note));
}

function findNote(caller: Caller, id: string): Note {
  if (!/^not_[A-Za-z0-9]{14}$/.test(id)) throw badRequest('note id must match ^not_[A-Za-z0-9]{14}$');
  const note = visibleNotes(caller).find(candidate => candidate.id === id);
  if (!note) throw new GranolaError(404, 'NOT_FOUND', 'Note not found');
  return note;
}

/**
 * Reads the filters of a list. A `created_before` date excludes that whole day. A bound that is a date-time
 * includes the second that it names.
 */
function readFilters(query: Query, workspace: Workspace): { accepts(note: Note): boolean; key: unknown } {
  const before = readTime(query, 'created_before');
  const after = readTime(query, 'created_after');
  const updatedAfter = readTime(query, 'updated_after');
  const folderId = readText(query, 'folder_id');
  if (folderId !== undefined && !/^fol_[A-Za-z0-9]{14}$/.test(folderId)) {
    throw badRequest('folder_id must match ^fol_[A-Za-z0-9]{14}$');
  }
  const inside = folderId === undefined ? undefined : withChildren(workspace.folders, folderId);
  return {
    key: [before, after, updatedAfter, folderId ?? null],
    accepts: note =>
      (!before || (before.isDate ? note.createdMs < before.ms : note.createdMs <= before.ms)) &&
      (!after || note.createdMs >= after.ms) &&
      (!updatedAfter || note.updatedMs >= updatedAfter.ms) &&
      (!inside || note.folders.some(({ id }) => inside.has(id))),
  };
}

interface PageOptions<Item> {
  readonly query: Query;
  /** The request properties that a cursor is bound to. */
  readonly boundTo: unknown;
  readonly pageSize: number;
  positionOf(item: Item): Record<string, string | number>;
  isAfter(item: Item, position: Record<string, string | number>): boolean;
  readonly lastCursor: 'null' | 'absent' | 'stale';
}

/**
 * Returns the page after the cursor. Cursors encode a position rather than an offset, so notes added between
 * requests do not shift pages.
 */
function takePage<Item>(
  all: readonly Item[],
  options: PageOptions<Item>,
): { items: Item[]; rest: { hasMore: boolean; cursor?: string | null } } {
  const cursor = readText(options.query, 'cursor');
  const position = cursor === undefined ? undefined : openCursor(cursor, options.boundTo);
  if (cursor !== undefined && !position) throw badRequest('cursor is not valid for this request');
  const following = position ? all.filter(item => options.isAfter(item, position)) : all;
  const items = following.slice(0, options.pageSize);
  const last = items.at(-1);
  const hasMore = following.length > items.length;
  if (last && (hasMore || options.lastCursor === 'stale')) {
    return { items, rest: { hasMore, cursor: sealCursor(options.positionOf(last), options.boundTo) } };
  }
  return { items, rest: options.lastCursor === 'absent' ? { hasMore } : { hasMore, cursor: null } };
}
