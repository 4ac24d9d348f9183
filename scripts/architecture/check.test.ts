/** Each rule of the boundaries is tried by a planted breach; `npm run check` looks for breaches in the repository itself. */
import { describe, expect, it } from 'vitest';
import { checkBoundaries } from './check.ts';
import { zones } from './zones.ts';

const S = 'apps/server/src';
const P = 'packages/platform/src';
const plant = (path: string, text: string) => checkBoundaries([{ path, text }]);

describe('boundaries', () => {
  it.each([
    [
      'platform imports a module',
      `${P}/text/a.ts`,
      "import { x } from '../../../../apps/server/src/modules/people/index.ts';",
    ],
    [
      'platform imports the kernel',
      `${P}/db/a.ts`,
      "import type { Scope } from '../../../../apps/server/src/kernel/scope.ts';",
    ],
    ['platform knows the contract', `${P}/time/a.ts`, "import { timeZoneId } from '@portico/contract';"],
    ['the kernel imports a module', `${S}/kernel/a.ts`, "import { x } from '../modules/posts/index.ts';"],
    ['the kernel imports http', `${S}/kernel/a.ts`, "export * from '../http/server.ts';"],
    ['a domain imports http', `${S}/modules/posts/a.ts`, "import { x } from '../../http/server.ts';"],
    [
      'a domain imports process',
      `${S}/modules/posts/a.ts`,
      "import type { Services } from '../../process/services.ts';",
    ],
    ['a domain uses Fastify', `${S}/modules/posts/a.ts`, "import type { FastifyRequest } from 'fastify';"],
    ['a domain imports a later one', `${S}/modules/people/users/a.ts`, "import { x } from '../../posts/index.ts';"],
    [
      'a domain passes an earlier one by its index',
      `${S}/modules/posts/a.ts`,
      "import { x } from '../people/users/b.ts';",
    ],
    ['a domain imports the registry of tables', `${S}/modules/posts/a.ts`, "import { tables } from '../tables.ts';"],
    ['a domain imports tables of another', `${S}/modules/posts/a.ts`, "import { x } from '../people/auth/tables.ts';"],
    ['a job imports process', `${S}/jobs/a.ts`, "import { x } from '../process/services.ts';"],
    ['http imports a feature', `${S}/http/a.ts`, "import { x } from '../modules/communities/index.ts';"],
    ['demo imports an operator command', `${S}/demo/a.ts`, "import { x } from '../operator/index.ts';"],
    [
      'a dynamic import',
      `${P}/text/a.ts`,
      "const m = await import('../../../../apps/server/src/modules/people/index.ts');",
    ],
    [
      'a type import in a type',
      `${P}/text/a.ts`,
      "type A = import('../../../../apps/server/src/modules/people/index.ts').A;",
    ],
    ['a re-export', `${P}/text/a.ts`, "export { x } from '../../../../apps/server/src/modules/people/index.ts';"],
    ['a computed import', `${P}/text/a.ts`, 'const m = await import(name);'],
    [
      'a script by its address',
      `${P}/text/a.ts`,
      "fork(new URL('../../../../apps/server/src/modules/people/index.ts', import.meta.url));",
    ],
    [
      'an import in a comment-like text',
      `${P}/text/a.ts`,
      "/* x */ import\n{ y }\nfrom\n'../../../../apps/server/src/modules/people/index.ts';",
    ],
    ['a new folder without a zone', `${S}/shared/a.ts`, 'export const x = 1;'],
    ['the product imports a test', `${S}/jobs/a.ts`, "import { x } from '../../test/support/index.ts';"],
    ['the product imports a fixture', `${S}/jobs/a.ts`, "import { x } from '../modules/people/people.fixture.ts';"],
    ['a policy reads', `${S}/modules/people/people.policy.ts`, "import { x } from './users.repository.ts';"],
    [
      'a presenter reads a file',
      `${S}/modules/people/people.presenter.ts`,
      "import { readFile } from 'node:fs/promises';",
    ],
    ['routes hold SQL', `${S}/modules/people/people.routes.ts`, "import { x } from './users.repository.ts';"],
    [
      'the contract imports the server',
      'packages/contract/src/a.ts',
      "import { x } from '../../../apps/server/src/main.ts';",
    ],
    ['the contract imports the SDK', 'packages/contract/src/a.ts', "import { x } from '@portico/sdk';"],
    ['the SDK imports the server', 'packages/sdk/src/a.ts', "import { x } from '@portico/server/app';"],
    ['the CLI imports the application', 'packages/cli/src/a.ts', "import { x } from '@portico/server/app';"],
    ['the acceptance suite looks inside', 'acceptance/a.test.ts', "import { x } from '../apps/server/src/main.ts';"],
    ['the acceptance suite imports the server', 'acceptance/a.test.ts', "import { x } from '@portico/server/app';"],
    ['a file of 501 lines', `${S}/jobs/a.ts`, 'export {};\n'.repeat(501)],
  ])('%s: refused', (_, path, text) => {
    expect(plant(path, text)).toHaveLength(1);
  });

  it('finds files that import each other', () => {
    const problems = checkBoundaries([
      { path: `${S}/jobs/a.ts`, text: "import { b } from './b.ts'; export const a = b;" },
      { path: `${S}/jobs/b.ts`, text: "import { a } from './a.ts'; export const b = a;" },
    ]);
    expect(problems).toEqual([expect.stringContaining('files import each other')]);
  });

  it('finds folders of a domain that import each other, types included', () => {
    const file = (path: string, text: string) => ({ path: `${S}/modules/posts/${path}`, text });
    const writing = file('writing/a.ts', "import { b } from '../reading/b.ts';");
    expect(checkBoundaries([writing, file('reading/c.ts', "import type { D } from '../writing/d.ts';")])).toEqual([
      expect.stringContaining('folders import each other: modules/posts/'),
    ]);
    // Routes and the index put the parts of their domain together.
    expect(checkBoundaries([writing, file('reading/c.routes.ts', "import { d } from '../writing/d.ts';")])).toEqual([]);
    expect(checkBoundaries([writing, file('index.ts', "export { a } from './writing/a.ts';")])).toEqual([]);
  });

  it('allows a domain to import those before it', () => {
    expect(plant(`${S}/modules/people/users/a.ts`, "import { x } from '../../files/index.ts';")).toEqual([]);
    expect(plant(`${S}/modules/posts/reading/a.ts`, "import { x } from '../../people/index.ts';")).toEqual([]);
    expect(plant(`${S}/modules/people/users/a.ts`, "import { x } from './tables.ts';")).toEqual([]);
  });

  it('names only zones that exist, in a list without circles', () => {
    for (const zone of Object.values(zones)) for (const name of zone.mayImport) expect(zones[name], name).toBeDefined();
    expect(checkBoundaries([])).toEqual([]);
  });
});
