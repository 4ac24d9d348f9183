// Builds a community for purchase orders from nothing, imports 2,002 rows of an old system over the interface, and gives a second
// tenant the same community by one file. Needs no shell on the server: a key file of an account with the right
// manageDigitalWorplace, such as that of the demo, and for the second tenant another one.
// usage: node examples/purchasing/purchasing.mjs KEY_FILE [BASE_URL] [ROWS] [SECOND_KEY_FILE] [SECOND_BASE_URL]
await (await import('../node-24.mjs')).useNode24();

import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { messyRows } from './rows.mjs';

const { PorticoClient } = await import('@portico/sdk');
const { FieldType, RoleId, ValidationType } = await import('@portico/contract');
const [keyFile = '.portico/demo-service-account.json', baseUrl = 'http://localhost:8080', rows = '2002', ...second] =
  process.argv.slice(2);
const client = new PorticoClient({ baseUrl, credentials: { serviceAccount: keyFile } });
const mark = Date.now().toString(36);

const communityId = await build();
await importRows(communityId);
const file = await client.communities.exportDefinition({ communityId });
if (second.length > 0) await giveTo(second, file);

/** Workspace, catalogs, community, fields and workflow. @returns the id of the community */
async function build() {
  const { catalogs, communities, workspaces } = client;
  const { workspaceId } = await workspaces.create({ name: `Administration ${mark}` });
  const costCentres = await catalogs.create({ name: { en: `Cost centres ${mark}`, it: `Centri di costo ${mark}` } });
  await catalogs.putEntries({
    catalogId: costCentres.catalog.id,
    entries: ['1000 Management', '2000 Production', '3000 Sales'].map((label) => ({
      label: { en: label },
      externalId: label.slice(0, 4),
    })),
  });
  const suppliers = await catalogs.create({ name: { en: `Suppliers ${mark}` } });
  const { communityId } = await communities.create({
    workspaceId,
    name: 'Purchasing',
    description: 'Requests to buy something, approved by whoever is responsible for the cost centre.',
    colorCode: '#2f6f4f',
    externalId: `purchasing-${mark}`,
    draft: true,
  });
  const fields = [
    {
      label: 'Amount',
      type: FieldType.DECIMAL,
      required: true,
      sortable: true,
      metadata: { decimal_digits: '2' },
      validations: [{ validationTypeId: ValidationType.MIN_VALUE, parameter: '0' }],
    },
    { label: 'Cost centre', type: FieldType.ENUM, catalogId: costCentres.catalog.id, required: true, sortable: true },
    { label: 'Supplier', type: FieldType.ENUM, catalogId: suppliers.catalog.id },
    {
      label: 'Kind',
      type: FieldType.ENUM,
      required: true,
      sortable: true,
      enumValues: [{ label: 'Goods' }, { label: 'Service' }, { label: 'Licence' }],
    },
    { label: 'Wanted by', type: FieldType.DATE, sortable: true },
    { label: 'What it is for', type: FieldType.TEXT_AREA, required: true },
  ];
  for (const field of fields) await communities.createField({ communityId, ...field });
  await communities.createWorkflow({
    communityId,
    title: 'Purchasing',
    states: [
      { name: 'Requested', initial: true, color: '#6b7280' },
      { name: 'Approved', color: '#15803d' },
      { name: 'Ordered', color: '#2563eb' },
      { name: 'Received', terminal: true, color: '#374151' },
      { name: 'Refused', terminal: true, color: '#b91c1c' },
    ],
    transitions: [
      { name: 'Approve', from: 'Requested', to: 'Approved', run: { roles: [RoleId.MANAGER] } },
      { name: 'Refuse', from: 'Requested', to: 'Refused', screen: 'Refusal', run: { roles: [RoleId.MANAGER] } },
      { name: 'Order', from: 'Approved', to: 'Ordered', screen: 'Order', run: { roles: [RoleId.MANAGER] } },
      { name: 'Confirm receipt', from: 'Ordered', to: 'Received', run: { roles: [RoleId.MANAGER], byAuthor: true } },
    ],
    screens: [
      { name: 'Refusal', message: 'The requester reads this.', fields: [{ label: 'Grounds', required: true }] },
      { name: 'Order', fields: [{ label: 'Order number', required: true }] },
    ],
    screenFields: [
      { label: 'Grounds', type: FieldType.TEXT_AREA },
      { label: 'Order number', type: FieldType.STRING },
    ],
  });
  console.log(`Community ${communityId} is built`);
  return communityId;
}

/** Tries the rows, imports them, and prints the refused rows by kind of fault. */
async function importRows(communityId) {
  const { csv, lines } = messyRows(Number(rows));
  const { contentRef } = await client.files.upload(new Blob([csv], { type: 'text/csv' }), { name: 'orders.csv' });
  const mapping = readFileSync(new URL('mapping.yaml', import.meta.url), 'utf8');
  const upload = { contentRef, fileName: 'orders.csv', mapping };
  const trial = await ended(await client.imports.start({ communityId, ...upload, trial: true }));
  console.log(`Trial: ${trial.report.createdCount} rows can be taken, ${trial.report.refusedCount} cannot`);
  // The file and the mapping are the same as in the trial.
  const {
    id: importId,
    rows: read,
    report,
  } = await ended(await client.imports.start({ communityId, importId: trial.id }));
  console.log(`Import of ${read} rows: ${report.createdCount} orders, ${report.refusedCount} not taken`);
  const reasons = new Map();
  for await (const { line, column, reason } of client.imports.iterateRefusals({ importId, pageSize: 500 }))
    reasons.set(line, `${column ? `${column}: ` : ''}${reason}`);
  for (const [kind, at] of Object.entries(lines)) {
    const reported = at.filter((line) => reasons.delete(line) || console.log(`Line ${line} was taken: ${kind}`)).length;
    console.log(`${kind}: ${reported} of ${at.length} rows`);
  }
  console.log(`Without a fault, and not taken: ${reasons.size} rows`);
  for (const [line, reason] of reasons) console.log(`Line ${line}, ${reason}`);
}

/** Waits for the end of the import and prints its progress. */
async function ended({ id: importId }) {
  for (;;) {
    const found = await client.imports.get({ importId });
    if (found.state === 'failed') throw new Error(found.problem);
    if (found.endTimestamp !== undefined) return found;
    await setTimeout(250);
  }
}

/** Applies the file of the community in another tenant: its export there is the same. */
async function giveTo([serviceAccount, baseUrl], file) {
  const other = new PorticoClient({ baseUrl, credentials: { serviceAccount } });
  const plan = await other.communities.planDefinition({ file });
  console.log(`Second tenant: ${plan.changesCount} changes`);
  const { communityId } = await other.communities.applyDefinition({ file, planToken: plan.planToken });
  const same = JSON.stringify(await other.communities.exportDefinition({ communityId })) === JSON.stringify(file);
  console.log(same ? 'The second tenant has the same community' : 'The second tenant has another community');
}
