import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ExportFormat, type ExportTimes, exportFormats, exportTimes } from '@portico/contract';
import { type Command, Option } from 'commander';
import { commaList, parseNumber } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { ProgressBar } from '../progress-bar.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';

/** The flags of an export in addition to the flags of its list. */
export interface ExportFlags extends CommonOptions {
  format?: ExportFormat;
  columns?: string[];
  timezone?: string;
  times?: ExportTimes;
  output?: string;
}

/** Declares the flags of an export. `--output` is a file here. */
export function addExportOptions(command: Command): void {
  command
    .addOption(new Option('--format <format>', 'of the file').choices(Object.keys(exportFormats)).default('csv'))
    .option('--columns <names>', 'columns by name, separated by commas; for posts also customData.12', commaList)
    .option('--timezone <name>', 'time zone of times (default: yours)')
    .addOption(
      new Option('--times <form>', 'of times in CSV and workbooks: with offset, or local').choices(exportTimes),
    )
    .option('-o, --output <file>', 'file to write, which must not exist (default: standard output)')
    .option('--profile <name>', 'profile to use instead of the current one')
    .option('--timeout <seconds>', 'abort if the file does not start within this time', parseNumber)
    .option('--verbose', 'print each request on stderr')
    .option('--no-color', 'do not use colours');
}

/** Writes the file from `open`. */
export async function writeExport(
  flags: ExportFlags,
  open: (session: Session, options: object) => Promise<ReadableStream<Uint8Array>>,
): Promise<void> {
  const { format = 'csv', columns, timezone, times, output } = flags;
  if (format === 'xlsx' && output === undefined && process.stdout.isTTY)
    throw new UsageError('Name a file for a workbook: --output file.xlsx');
  const session = await openSession(flags);
  const stream = await open(session, {
    ...session.options,
    format,
    ...(columns && { columns }),
    ...(timezone !== undefined && { timezone }),
    ...(times !== undefined && { times }),
  });
  const source = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
  if (output === undefined) {
    // Standard output stays open for the other output of the program.
    for await (const chunk of source) {
      if (!process.stdout.write(chunk)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
    return;
  }
  const bar = new ProgressBar(process.stderr);
  let received = 0;
  source.on('data', (chunk: Buffer) => {
    received += chunk.length;
    bar.show(`${Math.round(received / 1024)} KiB so far`, undefined);
  });
  try {
    await pipeline(source, createWriteStream(output, { flags: 'wx' }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new UsageError(`${output} already exists.`);
    throw error;
  } finally {
    bar.clear();
  }
}
