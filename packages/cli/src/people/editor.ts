/** Lets the person write a text in an editor. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, UsageError } from '../errors.ts';

/** Title and text of a post as an editor shows them: the title in the first line. */
interface EditedPost {
  title: string;
  text: string;
}

/**
 * Opens a text in `PORTICO_EDITOR`, `VISUAL` or `EDITOR`.
 * @returns the text as it was saved
 * @throws UsageError without an editor; CommandError if it fails
 */
export function editText(text: string): string {
  const { env } = process;
  const editor = env['PORTICO_EDITOR'] || env['VISUAL'] || env['EDITOR'];
  if (!editor) throw new UsageError('No editor is set: set EDITOR, or give the text as a flag.');
  const folder = mkdtempSync(join(tmpdir(), 'portico-text-'));
  const file = join(folder, 'text.md');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    // An editor may be set with arguments, as "code --wait".
    const named = process.platform === 'win32' ? '"%PORTICO_TEXT_FILE%"' : '"$PORTICO_TEXT_FILE"';
    const { status, error } = spawnSync(`${editor} ${named}`, {
      shell: true,
      stdio: 'inherit',
      env: { ...env, PORTICO_TEXT_FILE: file },
    });
    if (error || status !== 0) throw new CommandError(`The editor "${editor}" failed. Nothing was written.`);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Opens title and text of a post in an editor.
 * @throws CommandError if the title is empty or nothing has changed
 */
export function editPost({ title, text }: EditedPost): EditedPost {
  const before = `${title}\n\n${text}\n`;
  const after = editText(before);
  if (after.trim() === before.trim()) throw new CommandError('The text was not changed. Nothing was written.');
  const [first = '', ...rest] = after.split(/\r?\n/);
  if (first.trim() === '') throw new CommandError('The first line, the title, is empty. Nothing was written.');
  return { title: first.trim(), text: rest.join('\n').trim() };
}
