import { examples, packageJsonOf } from './examples.ts';

/** What a project installs. */
export interface Role {
  /** What the project is. */
  readonly title: string;
  /** The folders of our packages. */
  readonly packages: readonly string[];
  /** Packages of others, as arguments of an install command. */
  readonly others: readonly string[];
}

/** The README has an install line for each of them. */
export const roles: Readonly<Record<'app' | 'service' | 'trial' | 'agent', Role>> = {
  app: {
    title: 'an app with the widget',
    packages: ['widget', 'server-helper', 'connectors', 'api'],
    others: [],
  },
  service: { title: 'a production service, with a PostgreSQL server', packages: ['service'], others: [] },
  trial: {
    title: 'a service to try out, with the embedded database',
    packages: ['service'],
    others: ['@electric-sql/pglite@0.5'],
  },
  agent: { title: 'an agent that uses a source over MCP', packages: ['connectors'], others: [] },
};

/** Returns the command with which npm installs what a role needs from a registry. */
export function installCommand({ packages, others }: Role): string {
  return ['npm install', ...packages.map(folder => `@connector-auth/${folder}`), ...others].join(' ');
}

/** Returns what is needed for all of these names: of roles, examples, and packages with or without their scope. */
export function roleNamed(names: readonly string[]): Role {
  const named = names.map(roleOf);
  return {
    title: names.join(', '),
    packages: [...new Set(named.flatMap(({ packages }) => packages))],
    others: [...new Set(named.flatMap(({ others }) => others))],
  };
}

function roleOf(name: string): Pick<Role, 'packages' | 'others'> {
  if (isRole(name)) return roles[name];
  const dependencies = examples.includes(name) ? Object.keys(packageJsonOf(name).dependencies ?? {}) : null;
  const ours = dependencies?.filter(each => each.startsWith('@connector-auth/')) ?? [name];
  return { packages: ours.map(each => each.replace('@connector-auth/', '')), others: [] };
}

function isRole(name: string): name is keyof typeof roles {
  return Object.hasOwn(roles, name);
}
