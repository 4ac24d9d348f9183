/** Runs commands in this process against a wire server with scripted answers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import {
  accessToken,
  type ScriptedAnswer,
  startWireServer,
  type WireServer,
} from '../../../sdk/src/testing/wire-server.ts';
import { runWords } from '../run-command.ts';

/** An answer that serves every operation: forms, definitions, lists. */
const everything = () => ({
  accessToken: accessToken(),
  items: [{ id: 1, title: 'One' }],
  totalItemsCount: 1,
  communityId: 2,
  occToken: 5,
  screenOccToken: 6,
  contentData: {},
  fieldDefinitions: [
    {
      id: 1,
      label: 'Severity',
      type: 7,
      enumValues: [
        { id: 11, label: 'Low' },
        { id: 12, label: 'High' },
      ],
    },
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
    { id: 4, label: 'Status', type: 7, enumValues: [{ id: 41, label: 'Draft' }] },
  ],
  workflowDefinition: { states: [{ id: 61, name: 'In progress' }] },
  workflowPermittedOperations: [{ id: 31, name: 'Start work', screen: { id: 1 } }],
  screen: {
    id: 1,
    fieldMetadatas: [
      { id: 71, label: 'Note', type: 6 },
      { id: 72, label: 'Due date', type: 4 },
    ],
  },
  contentRef: 'c'.repeat(64),
  uploadMultipartRequestBodyParams: { key: 'k' },
});

const files = [
  'photo.jpg',
  'seal.jpg',
  'seal.pdf',
  'report.pdf',
  'token.txt',
  'secret.txt',
  'answer.txt',
  'assertion.txt',
  'password.txt',
  'credential.json',
  'new-password.txt',
  'people.csv',
];
const jsonFiles = [
  'posts.ndjson',
  'user.json',
  'post.json',
  'event.json',
  'task.json',
  'credentials.json',
  'entries.json',
];

/** Objects shared by the tests of a file. */
interface Commands {
  server: WireServer;
  /** Answers that take precedence over {@link everything}; removed before each test. */
  script: ((method: string, path: string) => ScriptedAnswer | undefined) | undefined;
  run: typeof run;
}

/** Starts the server for the tests of a file, in a folder with the files of the examples. */
export function useCommands(): Commands {
  let folder: string;
  // Test files share a process: the environment is restored for the next one.
  const environment = { ...process.env };
  const workingDirectory = process.cwd();
  const commands = { run } as Commands;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portico-cli-'));
    for (const file of files) writeFileSync(join(folder, file), 'text');
    for (const file of jsonFiles) writeFileSync(join(folder, file), '{}');
    commands.server = await startWireServer(
      ({ method, path }) =>
        commands.script?.(method, path) ?? {
          body: { ...everything(), uploadUrl: `${commands.server.origin}/upload` },
        },
    );
    process.chdir(folder);
    Object.assign(process.env, {
      PORTICO_URL: commands.server.origin,
      PORTICO_TOKEN: 'x',
      PORTICO_CONFIG: join(folder, 'config.json'),
      PORTICO_CACHE_DIR: join(folder, 'cache'),
    });
  });
  afterAll(async () => {
    process.chdir(workingDirectory);
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    await commands.server.close();
  });
  beforeEach(() => {
    commands.script = undefined;
    commands.server.requests.length = 0;
    process.exitCode = undefined;
  });
  return commands;
}

/**
 * Runs a command in this process.
 * @returns its output, and its error
 */
async function run(args: readonly string[]): Promise<{ out: string; err: string; error: unknown }> {
  let out = '';
  let err = '';
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
  try {
    await runWords(args);
    return { out, err, error: undefined };
  } catch (error) {
    return { out, err, error };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
    process.removeAllListeners('SIGINT');
  }
}
