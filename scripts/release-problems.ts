/** What a release depends on. */
export interface ReleaseState {
  /** The version of each public package, by name. */
  readonly versions: ReadonlyMap<string, string>;
  /** The tag that started the release, or null for a dry run. */
  readonly tag: string | null;
  /** The output of `git status --porcelain`. */
  readonly changedFiles: string;
  /** Whether npm can get an identity from the workflow, which provenance needs. */
  readonly canSign: boolean;
}

/** Returns what has to change before the packages can be published. */
export function findReleaseProblems({ versions, tag, changedFiles, canSign }: ReleaseState): string[] {
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
    ...(canSign
      ? []
      : ['Provenance needs the workflow .github/workflows/release.yml: push a tag, or use --dry-run here.']),
  ];
}
