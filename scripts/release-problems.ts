/** What a release depends on. */
export interface ReleaseState {
  /** The version of each public package, by name. */
  readonly versions: ReadonlyMap<string, string>;
  /** The tag that started the release, or null outside the workflow. */
  readonly tag: string | null;
  /** The output of `git status --porcelain`. */
  readonly changedFiles: string;
}

/** Returns what has to change before the packages can be published. */
export function findReleaseProblems({ versions, tag, changedFiles }: ReleaseState): string[] {
  const different = [...new Set(versions.values())];
  const [version = ''] = different;
  return [
    ...(different.length > 1
      ? [`All packages need the same version, but there are ${different.join(', ')}: run pnpm version -r.`]
      : []),
    ...(tag !== null && tag !== `v${version}`
      ? [`The tag must be v${version}, the version of the packages, not "${tag}".`]
      : []),
    ...(changedFiles === '' ? [] : [`Commit or remove these changes first:\n${changedFiles}`]),
  ];
}
