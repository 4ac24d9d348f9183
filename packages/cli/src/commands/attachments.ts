import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { addCommonOptions, parseInteger } from '../client/flags.ts';
import { uploadFile } from '../client/run.ts';
import { type OutputFormat, printObject } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import { type CommonOptions, openSession } from '../session.ts';

/** `portico api attachments upload` and `download`: the bytes of files. */
export function addAttachmentCommands(attachments: Command): void {
  const upload = attachments
    .command('upload')
    .description('Upload a file and print its contentRef, by which posts, comments and tasks attach it')
    .argument('<file>', 'file to send')
    .option('--name <name>', 'name of the attachment (default: the name of the file)')
    .option('--content-type <type>', 'MIME type (default: guessed from the name)');
  addCommonOptions(upload)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api attachments upload report.pdf\n  $ portico api attachments upload out.bin --name data.csv --content-type text/csv --output json',
    )
    .action(async (file: string) => {
      const flags = upload.opts<
        CommonOptions & { output: OutputFormat; fields?: string[]; name?: string; contentType?: string }
      >();
      const session = await openSession(flags);
      const { name, contentType } = flags;
      const uploaded = await uploadFile(session, file, { ...(name && { name }), ...(contentType && { contentType }) });
      await printObject(uploaded, { format: flags.output, fields: flags.fields });
    });

  const download = attachments
    .command('download')
    .description('Download the content of an attachment')
    .argument('<attachment-id>', 'the attachment', parseInteger)
    .option('--out <file>', 'file to write, which must not exist (default: standard output)')
    .option('--revision <number>', 'an earlier version', parseInteger);
  addCommonOptions(download)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api attachments download 512 --out report.pdf\n  $ portico api attachments download 512 --revision 1 | sha256sum',
    )
    .action(async (attachmentId: number) => {
      const flags = download.opts<CommonOptions & { out?: string; revision?: number }>();
      const { client, options } = await openSession(flags);
      const response = await client.files.download(attachmentId, {
        ...(flags.revision !== undefined && { version: flags.revision }),
        ...(options.signal && { signal: options.signal }),
      });
      const total = Number(response.headers.get('Content-Length') ?? Number.NaN);
      const bar = new ProgressBar(process.stderr);
      let received = 0;
      const source = response.body
        ? Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
        : Readable.from([]);
      const target = flags.out === undefined ? process.stdout : createWriteStream(flags.out, { flags: 'wx' });
      if (flags.out !== undefined) {
        source.on('data', (chunk: Buffer) => {
          received += chunk.byteLength;
          bar.show(`Downloading ${flags.out}`, Number.isFinite(total) && total > 0 ? received / total : undefined);
        });
      }
      try {
        await pipeline(source, target, { end: flags.out !== undefined });
      } finally {
        bar.clear();
      }
    });
}
