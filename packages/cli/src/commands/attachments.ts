import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { addCommonOptions, parseInteger } from '../client/flags.ts';
import { uploadFile } from '../client/run.ts';
import { type OutputFormat, printObject } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import { type CommonOptions, openSession } from '../session.ts';

/** `portico attachments upload` and `download`: the bytes of files. */
export function addAttachmentCommands(attachments: Command): void {
  const upload = attachments
    .command('upload')
    .description('Upload a file; the contentRef it prints stands for the file in posts, comments and tasks')
    .argument('<file>', 'file to send')
    .option('--name <name>', 'name under which it appears; default its own')
    .option('--content-type <type>', 'MIME type; default by its name');
  addCommonOptions(upload)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico attachments upload report.pdf\n  $ portico attachments upload out.bin --name data.csv --content-type text/csv --output json',
    )
    .action(async (file: string) => {
      const words = upload.opts<
        CommonOptions & { output: OutputFormat; fields?: string[]; name?: string; contentType?: string }
      >();
      const session = await openSession(words);
      const { name, contentType } = words;
      const uploaded = await uploadFile(session, file, { ...(name && { name }), ...(contentType && { contentType }) });
      await printObject(uploaded, { format: words.output, fields: words.fields });
    });

  const download = attachments
    .command('download')
    .description('Download the content of an attachment')
    .argument('<attachment-id>', 'the attachment', parseInteger)
    .option('--out <file>', 'where to write it; must not exist; left out, standard output')
    .option('--revision <number>', 'an earlier version', parseInteger);
  addCommonOptions(download)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico attachments download 512 --out report.pdf\n  $ portico attachments download 512 --revision 1 | sha256sum',
    )
    .action(async (attachmentId: number) => {
      const words = download.opts<CommonOptions & { out?: string; revision?: number }>();
      const { client, options } = await openSession(words);
      const response = await client.files.download(attachmentId, {
        ...(words.revision !== undefined && { version: words.revision }),
        ...(options.signal && { signal: options.signal }),
      });
      const total = Number(response.headers.get('Content-Length') ?? Number.NaN);
      const bar = new ProgressBar(process.stderr);
      let received = 0;
      const source = response.body
        ? Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
        : Readable.from([]);
      const target = words.out === undefined ? process.stdout : createWriteStream(words.out, { flags: 'wx' });
      if (words.out !== undefined) {
        source.on('data', (chunk: Buffer) => {
          received += chunk.byteLength;
          bar.show(`Downloading ${words.out}`, Number.isFinite(total) && total > 0 ? received / total : undefined);
        });
      }
      try {
        await pipeline(source, target, { end: words.out !== undefined });
      } finally {
        bar.clear();
      }
    });
}
