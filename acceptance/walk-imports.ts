/** Imports over the demo tenant: a trial that runs to its end, and writes with `dryRun=true`. */
import type { Json } from './client.ts';
import type { Walk } from './walk.ts';
import type { Found } from './walk-reads.ts';

const ROWS = 'id,name,wrong\n1,Acceptance,\n2,Twice,\n2,Twice,\n2,Twice,\n';
const SUGGESTED =
  'id,Subject,Status,State,Priority,Impact,Opened,Extra\n' +
  '1,Printer,Nowhere,Nowhere,Unheard,Unheard,2024-02-29,a\n2,Pump,Nowhere,Nowhere,Unheard,Unheard,2024-03-01,b\n';
const CHANGES = 'id,at\n1,2024-02-29\n';
const MAPPING = `externalId: {column: id, prefix: acceptance-}
title: name
body: {value: Written by the acceptance suite.}
changes: {externalId: id, at: at}
workflow: {title: Another}
`;

/** How often an import is asked for, a quarter of a second apart. */
const MOST_READS = 240;

/** Exports a community whole, and previews its import as another one, in a dry run too. */
async function walkArchives(walk: Walk, communityId: number): Promise<void> {
  const archive = await new Response(await walk.client.communities.exportArchive({ communityId })).blob();
  const { contentRef } = await walk.client.files.upload(archive, { name: 'community.zip' });
  const body = { contentRef, key: 'acceptance-archive', name: 'Acceptance archive' };
  await walk.read('planCommunityArchive', { body });
  await walk.write('importCommunityArchive', { body });
}

/** Tries a file, reads what was not taken, and starts and cancels another in dry runs. */
export async function walkImports(walk: Walk, found: Found): Promise<void> {
  const communityId = found.communities.find(({ name }) => name === 'IT Service Desk')?.id as number;
  const upload = async (text: string) =>
    (await walk.client.files.upload(new Blob([text]), { name: 'rows.csv' })).contentRef;
  const params = { communityId };
  const body = {
    contentRef: await upload(ROWS),
    fileName: 'rows.csv',
    changesContentRef: await upload(CHANGES),
    changesFileName: 'changes.csv',
    mapping: MAPPING,
    trial: true,
  };
  const { contentRef, fileName } = { contentRef: await upload(SUGGESTED), fileName: 'rows.csv' };
  await walk.read('suggestImportMapping', { params, body: { contentRef, fileName } });
  const trial = await walk.read('startImport', { params, body });
  const failing = await walk.read('startImport', {
    params,
    body: { importId: trial.id, mapping: MAPPING.replace('title: name', 'title: nothing'), trial: true },
  });
  // It may have ended already.
  const cancelled = await walk.call('cancelImport', { params: { importId: failing.id }, query: { dryRun: true } });
  if (![200, 400].includes(cancelled.status))
    walk.surprises.push(`cancelImport: ${cancelled.status} ${cancelled.text}`);
  const ended = await untilEnded(walk, trial.id);
  if (ended.state !== 'done') walk.surprises.push(`the trial of an import: ${JSON.stringify(ended)}`);
  await untilEnded(walk, failing.id);
  await walk.items('listImportRefusals', { params: { importId: trial.id }, body: { pageSize: 1 } });
  await walk.write('startImport', { params, body: { importId: trial.id } });
  const undone = await walk.call('undoImport', { params: { importId: trial.id }, body: {} });
  // A trial kept nothing that could be taken back.
  if (undone.status !== 400) walk.surprises.push(`undoImport: ${undone.status} ${undone.text}`);
  await walk.items('listImports', { params, body: { pageSize: 1 } });
  await walkArchives(walk, communityId);
}

async function untilEnded(walk: Walk, importId: number): Promise<Json> {
  let read: Json = {};
  for (let n = 0; n < MOST_READS; n++) {
    read = await walk.read('getImport', { params: { importId } });
    if (read.endTimestamp !== undefined) break;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return read;
}
