import type { GongCompany } from './company.ts';

/** A library folder and its calls. */
export interface LibraryFolder {
  readonly workspaceId: string;
  readonly wire: {
    readonly id: string;
    readonly name: string;
    readonly parentFolderId: string | null;
    readonly createdBy: string | null;
    readonly updated: string;
  };
  readonly calls: readonly {
    readonly callId: string;
    readonly title: string;
    readonly started: string;
    readonly duration: number;
    readonly primaryUserId: string;
    readonly url: string;
  }[];
}

/** Generates two nested folders in the first workspace. */
export function inventLibrary(company: GongCompany): LibraryFolder[] {
  const [author] = company.users();
  const [workspace] = company.workspaces;
  if (!workspace) return [];
  const random = company.random.fork('library');
  const folder = (name: string, parentFolderId: string | null, callCount: number): LibraryFolder => {
    const own = random.fork(name);
    const calls = company.calls().filter(({ wire }) => !wire.isPrivate && wire.scope === 'External');
    return {
      workspaceId: workspace.id,
      wire: {
        id: `3${own.fork('id').text(18, '0123456789')}`,
        name,
        parentFolderId,
        createdBy: parentFolderId === null ? null : (author?.id ?? null),
        updated: '2026-01-05T11:00:00Z',
      },
      calls: own.sample(calls, callCount).map(({ wire }) => ({
        callId: wire.id,
        title: wire.title,
        started: wire.started,
        duration: wire.duration,
        primaryUserId: wire.primaryUserId,
        url: wire.url,
      })),
    };
  };
  const great = folder('Great demos', null, 130);
  return [great, folder('Q1', great.wire.id, 12)];
}
