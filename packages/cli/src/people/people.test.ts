/** Commands for people, against a wire server. */
import { chmodSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeFailure, exitCodes } from '../errors.ts';
import { useCommands } from '../testing/commands.ts';

const cli = useCommands();

const TIME = Date.UTC(2026, 10, 21, 9, 4, 39, 500);
const communities = [
  { id: 2, name: 'IT Service Desk' },
  { id: 3, name: 'Purchasing' },
];
const grace = { id: 17, firstName: 'Grace', lastName: 'Hopper', contactEmail: 'grace@acme.example' };
const people = [grace, { id: 18, firstName: 'Grace', lastName: 'Kelly', contactEmail: 'kelly@acme.example' }];
const definition = {
  communityId: 2,
  fieldDefinitions: [
    { id: 1, label: 'Severity', type: 7, visibleInPreview: true, enumValues: [{ id: 12, label: 'High' }] },
    { id: 2, label: 'Due date', type: 4 },
    {
      id: 3,
      label: 'Sites',
      type: 8,
      enumValues: [
        { id: 31, label: 'Kobe' },
        { id: 32, label: 'Lecco' },
      ],
    },
    { id: 5, label: 'Owner', type: 15, metadata: { generic_entity_list_config_id: 'core.user' } },
    { id: 6, label: 'Notes', type: 11, visibleInPreview: true },
    { id: 7, label: 'Seen at', type: 5 },
  ],
  workflowDefinition: {
    states: [
      { id: 61, name: 'In progress' },
      { id: 62, name: 'Done' },
    ],
    screenFieldMetadatas: [{ id: 81, label: 'Cause', type: 6 }],
  },
};
const post = {
  id: 7,
  communityId: 2,
  title: 'Pump leaks\u001b[2J',
  currentWorkflowState: { id: 61, name: 'In progress' },
  creatorUser: grace,
  creationTimestamp: TIME,
  lastModifyTimestamp: TIME,
  descriptionPlainText: 'Under the seal.\n',
  descriptionDelta: '[{"insert":"Under the seal.\\n"}]',
  customData: { 1: 12, 2: Date.UTC(2026, 11, 31), 3: [31, 32], 5: [grace], 6: '[{"insert":"A note\\n"}]', 7: TIME },
  currentWorkflowScreenData: { 81: 'Wear' },
  visibility: 1,
  commentsCount: 1,
};
const workflowPermittedOperations = [
  { id: 41, name: 'Close', toState: { id: 62, name: 'Done' } },
  { id: 42, name: 'Take over', toState: { id: 61, name: 'In progress' } },
];
const task = {
  id: 5,
  postId: 7,
  title: 'Order',
  expiration: { zonedDatetime: '2026-12-31T18:00:00+01:00' },
  priority: 2,
  state: 1,
  postTitle: 'Pump leaks',
  communityName: 'IT Service Desk',
};

const hits = [
  { kind: 'post', id: 7, postId: 7, title: 'Pump leaks', communityName: 'IT Service Desk', stateName: 'In progress' },
  { kind: 'comment', id: 3, postId: 7, title: 'Pump leaks', communityName: 'IT Service Desk', excerpt: 'The pump' },
  { kind: 'file', id: 4, postId: 7, title: 'pump.pdf', postTitle: 'Pump leaks', fieldLabel: 'Notes' },
  { kind: 'person', id: 17, title: 'Grace Pump', authorUser: grace },
  { kind: 'community', id: 2, title: 'Pumps', timestamp: TIME },
];

/** Answers of a portal with one post, by the end of the path. */
const ANSWERS: readonly [RegExp, object][] = [
  [/\/communities\/view-post$/, { communities }],
  [/\/post-definition$/, definition],
  [/\/communities\/2\/details$/, { community: communities[0] }],
  [/\/post-capabilities\/7$/, { workflowPermittedOperations }],
  [/\/post-detail-by-id\/7$/, post],
  [/\/posts\/data\/list\/community\/2(\/filtered)?$/, { items: [post], totalItemsCount: 1 }],
  [/\/post-data-for-edit\/7$/, { communityId: 2, occToken: 9, contentData: { title: post.title } }],
  [/\/tasks$/, { items: [task] }],
  [/\/search\/data\/search$/, { items: hits, more: true, corrected: 'pump', ignored: ['in:Mars'] }],
  [
    /\/comments-list\/7$/,
    { items: [{ id: 3, creatorUser: grace, creationTimestamp: TIME, commentPlainText: 'Yes.\n' }] },
  ],
];

/** Runs a command against the portal. */
async function run(...words: string[]) {
  cli.script = (method, path) => {
    if (/people/.test(path)) return { body: { items: people } };
    if (method !== 'GET' && !/list|tasks$|comments\/data|data\/search$/.test(path)) return { body: { postId: 7 } };
    const body = ANSWERS.find(([pattern]) => pattern.test(path))?.[1];
    return body && { body };
  };
  return cli.run(words);
}

/** The last request of a method. */
const sent = (method: string, path = /./) =>
  cli.server.requests.findLast((request) => request.method === method && path.test(request.path));

describe('portico posts list', () => {
  it('has columns by label, names and times, without control sequences', async () => {
    const { out, err, error } = await run('posts', 'list', 'it service desk');
    expect([error, err]).toEqual([undefined, '']);
    expect(out).toBe(
      'id  title          state        Severity  modified\n7   Pump leaks[2J  In progress  High      2026-11-21T09:04:39Z\n',
    );
  });

  it('has the same times and labels in CSV', async () => {
    const names = 'id,Severity,due date,sites,Owner,Notes,Seen at,author,visibility';
    const { out, error } = await run('posts', 'list', '2', '--columns', names, '--csv');
    expect([error, out.split('\r\n')]).toEqual([
      undefined,
      [
        'id,Severity,Due date,Sites,Owner,Notes,Seen at,author,visibility',
        '7,High,2026-12-31,"Kobe, Lecco",Grace Hopper,A note,2026-11-21T09:04:39Z,Grace Hopper,private',
        '',
      ],
    ]);
  });

  it('is JSON, a jq filter of it, or a template', async () => {
    const whole = JSON.parse((await run('posts', 'list', '2', '--json')).out) as unknown[];
    expect(whole).toEqual([
      expect.objectContaining({
        id: 7,
        community: 'IT Service Desk',
        created: '2026-11-21T09:04:39Z',
        fields: expect.objectContaining({ Severity: 'High', Sites: ['Kobe', 'Lecco'], Owner: ['Grace Hopper'] }),
        screen: { Cause: 'Wear' },
      }),
    ]);
    expect(JSON.parse((await run('posts', 'list', '2', '--json', 'id,severity')).out)).toEqual([
      { id: 7, Severity: 'High' },
    ]);
    expect((await run('posts', 'list', '2', '--jq', '.[] | .id, .fields.Sites[1], .fields.Sites')).out).toBe(
      '7\nLecco\n["Kobe","Lecco"]\n',
    );
    expect((await run('posts', 'list', '2', '--template', '{{#.}}{{id}} <{{fields.Due date}}>\\n{{/.}}')).out).toBe(
      '7 <2026-12-31>\n',
    );
    for (const words of [
      ['--jq', '.['],
      ['--template', '{{#a}}'],
      ['--jq', '.', '--template', 'x'],
    ])
      expect(describeFailure((await run('posts', 'list', '2', ...words)).error).exitCode).toBe(exitCodes.usage);
  });

  it('sends conditions by name, of people too', async () => {
    const { error } = await run(
      ...['posts', 'list', 'IT Service Desk', '--where', 'Severity=High', '--where', 'Owner=grace hopper'],
      ...['--state', 'done', '--search', 'pump', '--author', 'kelly@acme.example', '--sort', 'title'],
    );
    expect(error).toBeUndefined();
    expect(sent('POST', /list\/community/)?.body).toMatchObject({
      createdByUserId: 18,
      containsText: 'pump',
      currentWorkflowStatusIds: [62],
      orderBy: 'postTitle',
      orderDesc: false,
    });
    expect(JSON.stringify(sent('POST', /list\/community/)?.body.postFieldFilters)).toContain('[17]');
  });

  it('fits the terminal, and says what has no room', async () => {
    const columns = 'id,title,state,author,created,modified,severity,sites,owner';
    process.env['COLUMNS'] = '48';
    try {
      const { out, err } = await run('posts', 'list', '2', '--columns', columns);
      for (const line of out.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(48);
      expect(err).toBe('3 more columns have no room here.\n');
    } finally {
      delete process.env['COLUMNS'];
    }
  });

  it('counts', async () => {
    expect((await run('posts', 'list', '2', '--count')).out).toBe('1\n');
  });
});

describe('a name', () => {
  it.each([
    [['posts', 'list', 'IT Servce Desk'], /There is no community "IT Servce Desk"; did you mean "IT Service Desk"/],
    [['posts', 'list', '2', '--columns', 'Severty'], /There is no column "Severty"; did you mean "Severity"/],
    [['posts', 'list', '2', '--author', 'Grace'], /Several people are called "Grace": Grace Hopper <grace@/],
    [['posts', 'move', '7', 'Dne'], /There is no state that you can move the post to now "Dne"; did you mean "Done"/],
    [['tasks', '--columns', 'nothing'], /There is no column "nothing"/],
    [['search', 'pump', '--columns', 'nothing'], /There is no column "nothing"/],
    [['search', 'pump', '--kind', 'boat'], /There is no kind "boat"; the kinds are post, comment/],
    [['search', 'pump', '--community', 'IT Servce Desk'], /did you mean "IT Service Desk"/],
  ])('that is unknown is refused: %j', async (words, message) => {
    const { error } = await run(...words);
    expect(describeFailure(error)).toEqual({ exitCode: exitCodes.usage, text: expect.stringMatching(message) });
  });
});

describe('portico posts view', () => {
  it('shows fields by label, the text and the comments', async () => {
    const { out, error } = await run('posts', 'view', 'https://acme.example/portal/post/7', '--comments');
    expect(error).toBeUndefined();
    for (const line of [
      'Pump leaks[2J #7',
      'community   IT Service Desk',
      'Due date    2026-12-31',
      'Cause       Wear',
    ])
      expect(out).toContain(`${line}\n`);
    expect(out).toContain('\n\nUnder the seal.\n\nGrace Hopper, 2026-11-21T09:04:39Z\nYes.\n');
  });
});

describe('a write', () => {
  it('creates with labels and people, and tells the address', async () => {
    const { out, error } = await run(
      ...['posts', 'create', 'IT Service Desk', '--title', 'T', '--description', 'plain'],
      ...['--field', 'severity=High', '--field', 'Owner=Grace Hopper', '--visibility', 'private'],
    );
    expect([error, out]).toEqual([undefined, `Created post 7: ${cli.server.origin}/portal/post/7\n`]);
    expect(sent('POST')?.body).toMatchObject({ title: 'T', visibility: 1, customData: { 1: [12], 5: [17] } });
  });

  it('edits only what was named, and nothing without a value', async () => {
    const { error } = await run('posts', 'edit', '7', '--title', 'New');
    expect(error).toBeUndefined();
    const changes = cli.server.requests.filter(({ method }) => method !== 'GET');
    expect(changes.map(({ body }) => body)).toEqual([{ title: 'New', occToken: 9 }]);
    expect(describeFailure((await run('posts', 'edit', '7')).error).text).toContain('Nothing to change');
  });

  it('takes title and text from an editor', async () => {
    writeFileSync('editor.sh', '#!/bin/sh\nprintf "New title\\n\\nNew text\\n" > "$2"\n');
    chmodSync('editor.sh', 0o700);
    process.env['PORTICO_EDITOR'] = `${process.cwd()}/editor.sh --wait`;
    try {
      expect((await run('posts', 'edit', '7', '--editor')).error).toBeUndefined();
      expect(cli.server.requests.at(-1)?.body).toMatchObject({ title: 'New title', description: 'New text' });
      process.env['PORTICO_EDITOR'] = 'true';
      expect(describeFailure((await run('posts', 'edit', '7', '--editor')).error).text).toContain('not changed');
      process.env['PORTICO_EDITOR'] = 'false';
      expect(describeFailure((await run('posts', 'edit', '7', '--editor')).error).text).toContain('failed');
    } finally {
      delete process.env['PORTICO_EDITOR'];
    }
  });

  it('moves by the name of the state or of the transition', async () => {
    for (const [state, id] of [
      ['done', 41],
      ['Take over', 42],
    ] as const) {
      expect((await run('posts', 'move', '7', state)).error).toBeUndefined();
      expect(cli.server.requests.at(-1)?.path).toContain(`/${id}`);
    }
    expect(describeFailure((await run('posts', 'move', '7')).error).text).toContain('"Done" (Close)');
  });

  it('comments, and refuses an empty comment', async () => {
    expect((await run('posts', 'comment', '7', 'On order.')).error).toBeUndefined();
    expect(sent('POST')?.body).toMatchObject({ comment: 'On order.' });
    cli.server.requests.length = 0;
    expect(describeFailure((await run('posts', 'comment', '7', ' ')).error).exitCode).toBe(exitCodes.usage);
    expect(cli.server.requests).toEqual([]);
  });
});

it('opens pages by the browser that is set, and prints their addresses', async () => {
  process.env['PORTICO_BROWSER'] = 'true';
  try {
    expect((await run('posts', 'open', '7')).out).toBe(`${cli.server.origin}/portal/post/7\n`);
    expect((await run('posts', 'list', 'Purchasing', '--web')).out).toBe(`${cli.server.origin}/portal/community/3\n`);
    const { out } = await run('search', '"a pump"', '--community', '2', '--web');
    expect(Object.fromEntries(new URL(out.trim()).searchParams)).toEqual({
      text: JSON.stringify('"a pump"'),
      communities: '[2]',
    });
    process.env['PORTICO_BROWSER'] = 'no-such-browser';
    expect((await run('posts', 'open', '7')).err).toContain('No browser: no-such-browser');
  } finally {
    delete process.env['PORTICO_BROWSER'];
  }
});

it('portico tasks lists the open tasks of the caller', async () => {
  const { out, error } = await run('tasks');
  expect(error).toBeUndefined();
  expect(out).toContain('5   Order  2026-12-31T17:00:00Z');
  expect(sent('POST')?.body).toMatchObject({ relation: 'assigned', open: true });
});

describe('portico search', () => {
  it('prints what was found, where, and how it differs from the request', async () => {
    const { out, err, error } = await run(
      ...['search', 'pmup', 'in:Mars', '--kind', 'post,Comment', '--community', 'Purchasing', '--state', 'Done'],
    );
    expect(error).toBeUndefined();
    expect(sent('POST')?.body).toEqual({
      ...{ text: 'pmup in:Mars', kinds: ['post', 'comment'], communityIds: [3], stateNames: ['Done'] },
      ...{ pageSize: 20, skip: 0 },
    });
    expect(out.split('\n').slice(0, 3)).toEqual([
      'kind       id  title       community        state        match',
      'post       7   Pump leaks  IT Service Desk  In progress',
      'comment    3   Pump leaks  IT Service Desk               The pump',
    ]);
    expect(err).toBe('Results for "pump".\nNot known, therefore ignored: in:Mars.\nThe first 5; --limit lists more.\n');
  });

  it('is JSON with the pages of the results, CSV, a jq filter or a template', async () => {
    const portal = `${cli.server.origin}/portal`;
    const rows = JSON.parse((await run('search', 'pump', '--json')).out) as { url: string }[];
    expect(rows.map(({ url }) => url)).toEqual([
      `${portal}/post/7`,
      `${portal}/post/7#comment-3`,
      `${portal}/post/7#attachments`,
      `${portal}/people/17`,
      `${portal}/community/2`,
    ]);
    expect(rows[4]).toMatchObject({ kind: 'community', id: 2, modified: '2026-11-21T09:04:39Z' });
    expect((await run('search', 'pump', '--columns', 'id,Field', '--csv')).out).toContain('\r\n4,Notes\r\n');
    expect((await run('search', 'pump', '--jq', '.[2].post')).out).toBe('Pump leaks\n');
    expect((await run('search', 'pump', '--template', '{{#.}}{{kind}} {{/.}}')).out).toBe(
      'post comment file person community \n',
    );
  });

  it('takes the name of an operation as a word', async () => {
    expect((await run('search', 'find')).error).toBeUndefined();
    expect(sent('POST')?.body).toMatchObject({ text: 'find' });
  });

  it('reads further pages up to the limit', async () => {
    await run('search', 'pump', '--limit', '250');
    const pages = cli.server.requests.filter(({ path }) => path.endsWith('/search/data/search'));
    expect(pages.map(({ body }) => body)).toEqual([
      { text: 'pump', pageSize: 100, skip: 0 },
      { text: 'pump', pageSize: 100, skip: 100 },
      { text: 'pump', pageSize: 50, skip: 200 },
    ]);
  });
});

describe('a flag of the former command of the same name', () => {
  it.each([
    [['posts', 'list', '2', '--output', 'json'], '--output', 'portico api posts list'],
    [['posts', 'list', '2', '--fields=id'], '--fields', 'portico api posts list'],
    [['posts', 'list', '2', '-o', 'csv'], '-o', 'portico api posts list'],
    [['posts', 'create', '2', '--data', '{}'], '--data', 'portico api posts create'],
    [['posts', 'edit', '7', '--occ-token', '3'], '--occ-token', 'portico api posts edit'],
    [['posts', 'move', '7', '--community-id', '3'], '--community-id', 'portico api posts move'],
    [['import', 'a.csv', '--tenant', 'acme', '--mapping', 'm.yaml'], '--tenant', 'portico admin import'],
  ])('is refused by name: %j', async (words, flag, present) => {
    const { error } = await run(...words);
    expect(describeFailure(error)).toEqual({
      exitCode: exitCodes.usage,
      text: expect.stringMatching(new RegExp(`^${flag} belongs to the former .*"${present}" now`)),
    });
    expect(cli.server.requests).toEqual([]);
  });
});
