// Builds a community for purchase orders from nothing, sends an order through its workflow, and changes fields and workflow
// while the order is there. Needs a key file of an account with the right manageDigitalWorplace, such as that of the demo.
// usage: node examples/build-community.mjs KEY_FILE [BASE_URL]
await (await import('./node-24.mjs')).useNode24();
const { PorticoClient } = await import('@portico/sdk');
const { FieldType, RoleId, ValidationType } = await import('@portico/contract');
const [serviceAccount = '.portico/demo-service-account.json', baseUrl = 'http://localhost:8080'] =
  process.argv.slice(2);
const client = new PorticoClient({ baseUrl, credentials: { serviceAccount } });
const { communities, posts, workflow, workspaces } = client;
const mark = Date.now().toString(36);

const { workspaceId } = await workspaces.create({ name: `Operations ${mark}` });
const { communityId } = await communities.create({
  workspaceId,
  name: 'Purchasing',
  description: 'Orders above the petty cash',
  colorCode: '#2f6f4f',
  draft: true,
});
console.log(`A community that is being prepared: ${communityId}`);

const amount = await communities.createField({
  communityId,
  label: 'Amount',
  type: FieldType.DECIMAL,
  required: true,
  sortable: true,
  validations: [{ validationTypeId: ValidationType.MIN_VALUE, parameter: '0' }],
});
const urgency = await communities.createField({
  communityId,
  label: 'Urgency',
  type: FieldType.ENUM,
  enumValues: [{ label: 'Low' }, { label: 'High' }],
});
const high = urgency.enumValueIds[1];

const approval = await communities.createWorkflow({
  communityId,
  title: 'Approval',
  states: [
    { name: 'Requested', initial: true, color: '#888888' },
    { name: 'Approved', color: '#2f6f4f' },
    { name: 'Refused', terminal: true, color: '#a03030' },
  ],
  transitions: [
    { name: 'Approve', from: 'Requested', to: 'Approved', run: { roles: [RoleId.MANAGER] } },
    { name: 'Refuse', from: 'Requested', to: 'Refused', screen: 'Reason', run: { roles: [RoleId.MANAGER] } },
  ],
  screens: [{ name: 'Reason', fields: [{ label: 'Why', required: true }] }],
  screenFields: [{ label: 'Why', type: FieldType.TEXT_AREA }],
});

const { draft, occToken, ...settings } = await communities.form({ communityId });
await communities.edit({ communityId, ...writable(settings), draft: false, occToken });
console.log('It is open: members of the workspace read it');

const order = await posts.create({
  communityId,
  title: 'Chairs',
  description: 'Six of them',
  descriptionFormat: 2,
  announcement: false,
  customData: { [amount.fieldId]: 480, [urgency.fieldId]: high },
});
await workflow.execute({ postId: order.postId, workflowOperationId: approval.transitionIds[0] });
console.log(`Order ${order.postId} is approved`);

// A value is renamed, another one is added; the order shows the new label.
const field = await communities.fieldForm({ communityId, fieldId: urgency.fieldId });
await communities.editField({
  communityId,
  fieldId: urgency.fieldId,
  label: 'Urgency',
  enumValues: [
    ...field.enumValues.map((value) => (value.id === high ? { ...value, label: 'Urgent' } : value)),
    { label: 'None' },
  ],
  occToken: field.occToken,
});

// A state comes in between. Taking one out of use in which orders are is refused until it is said what becomes of them.
const form = await communities.workflowForm({ communityId });
const [requested, approved, refused] = form.states;
const change = {
  communityId,
  states: [requested, { name: 'Ordered', terminal: true }, refused],
  transitions: [
    { name: 'Order', from: 'Requested', to: 'Ordered' },
    ...form.transitions.filter(({ to }) => to === 'Refused'),
  ],
  occToken: form.occToken,
};
const error = await communities.editWorkflow(change).then(
  () => undefined,
  (thrown) => thrown,
);
console.log(error?.message);
await communities.editWorkflow({ ...change, onExisting: 'keep' });
const { states } = await communities.workflowForm({ communityId });
console.log(`States now: ${states.map(({ name }) => name).join(', ')}; ${approved.name} stays where orders are`);

/** Removes members of a form that writes do not accept. */
function writable({ workspaceId: _workspace, coverImageTemporaryContentViewLink: _link, ...rest }) {
  return rest;
}
