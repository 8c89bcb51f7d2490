/** GitHub in the sandbox (`VENDORS`): an organization with repositories for each fictional business. */
import {
  BUSINESSES,
  inventPeople,
  type Business,
  type Reply,
  type Vendor,
  type VendorContext,
} from '@connector-auth/sandbox/vendor';
import { actAsVendor, sampleOf } from '@connector-auth/source-testing';
import { createGitHub, description, type Item, type Repository } from './github-vendor.ts';

const dayMs = 86_400_000;
const error = (status: number, message: string): Reply => ({ status, body: { message } });

const github: Vendor = {
  key: 'github',
  name: 'GitHub',
  hosts: ['api.github.com', 'github.com'],
  dialect: {
    rateLimited: retryAfterSeconds => ({
      ...error(429, 'You have exceeded a secondary rate limit.'),
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    }),
    failure: status => error(status, `Simulated failure ${status}`),
  },
  simulate: context => {
    const accounts = BUSINESSES.map(business => {
      const token = `github_pat_sandbox_${business.id.replaceAll('-', '_')}`;
      return { business, token, github: createGitHub(inventRepositories(business, context), [token]) };
    });
    // Every GitHub rejects the tokens of the others.
    const gitHubOf = (authorization: unknown) =>
      (accounts.find(({ token }) => authorization === `Bearer ${token}`) ?? accounts[0])?.github;
    const handler = actAsVendor(
      description,
      request => gitHubOf(request.headers['authorization'])?.respond(request) ?? { status: 404 },
      (path, { authorization }) => gitHubOf(authorization)?.describedPath(path) ?? path,
    );
    return {
      router: (incoming, outgoing) => void handler.answer(incoming, outgoing),
      credentials: () =>
        accounts.map(({ business, token }) => ({
          title: `Token: ${business.name}`,
          description: 'Three repositories with issues and pull requests.',
          works: true,
          business: business.id,
          values: { access_token: token },
        })),
    };
  },
};

export default github;

const issueTitles = [
  'Photos of {} load slowly on phones',
  'Price of {} is wrong in the basket',
  'Search does not find {}',
  'Show when {} are available again',
  'Sort {} by price',
  'Customers cannot cancel an order of {}',
  'Translate the page about {}',
];
const pullTitles = ['Compress the photos of {}', 'Correct the price of {}', 'Add {} to the search'];

function inventRepositories(business: Business, { random, clock }: VendorContext): Repository[] {
  const own = random.fork(business.id);
  const people = inventPeople(own, business.domain, 6).map(({ email }, index) =>
    sampleOf(description, 'simple-user', { id: index + 1, login: email.split('@')[0], type: 'User' }),
  );
  const owner = sampleOf(description, 'simple-user', { id: 100, login: business.id, type: 'Organization' });
  const at = (day: number): string => new Date(clock.dataNow.getTime() - day * dayMs).toISOString();
  return ['website', 'shop-app', 'handbook'].map((name, index): Repository => {
    const fullName = `${business.id}/${name}`;
    const html_url = `https://github.com/${fullName}`;
    /** @param age from 1 for the oldest to 0 for the newest. */
    const item = (number: number, age: number, title: string): Item => {
      const createdDay = 1 + 400 * age + own.unit();
      const isOpen = own.chance(0.8 * (1 - age));
      return {
        id: (index + 1) * 10_000 + number,
        number,
        title: title.replace('{}', own.pick(business.products)),
        body: `Reported by ${own.pick(business.teams)}, for the project “${own.pick(business.projects)}”.`,
        state: isOpen ? 'open' : 'closed',
        user: own.pick(people),
        comments: own.integer(0, 6),
        created_at: at(createdDay),
        updated_at: at(createdDay * own.unit()),
        closed_at: isOpen ? null : at(createdDay * own.unit()),
        html_url: `${html_url}/issues/${number}`,
      };
    };
    const issues = Array.from({ length: 60 }, (_, each) =>
      item(each + 1, 1 - each / 60, own.pick(issueTitles)),
    );
    return {
      id: index + 1,
      full_name: fullName,
      has_issues: true,
      owner,
      html_url,
      description: `${business.name}: ${name.replace('-', ' ')}`,
      private: true,
      visibility: 'private',
      default_branch: 'main',
      open_issues_count: issues.filter(({ state }) => state === 'open').length,
      created_at: at(420),
      pushed_at: at(own.unit()),
      updated_at: at(own.unit()),
      issues,
      pulls: Array.from({ length: 19 }, (_, each) => {
        const { comments: _comments, ...pull } = item(each + 61, 1 - each / 19, own.pick(pullTitles));
        return { ...pull, html_url: `${html_url}/pull/${pull.number}` };
      }),
    };
  });
}
