/** The file of a community that uses most features of a file. */
import type { CommunityFile } from '@portico/contract';

/** Returns a new copy for each use. */
export const purchasing = (): CommunityFile => ({
  version: 1,
  workspace: { key: 'ops', name: 'Operations', translations: { it: 'Operazioni' } },
  roles: [{ key: 'controller', name: 'Controller', permissions: ['readPublicPosts', 'comment'] }],
  catalogs: [
    { key: 'countries', name: { en: 'Countries' }, entries: [{ key: 'IT', label: { en: 'Italy' } }] },
    {
      key: 'suppliers',
      name: { en: 'Suppliers', it: 'Fornitori' },
      parent: 'countries',
      entries: [
        { key: 's1', label: { en: 'Rossi' }, parents: ['IT'] },
        { key: 's2', label: { en: 'Bianchi' } },
      ],
    },
  ],
  community: { key: 'buy', name: 'Purchasing', description: 'Orders', color: '#2f6f4f', draft: true },
  groupRoles: [{ group: 'Buyers', role: 'CONTRIBUTOR' }],
  hashtags: ['urgent'],
  fields: [
    {
      key: 'amount',
      label: 'Amount',
      translations: { it: 'Importo' },
      section: 'Money',
      sectionTranslations: { it: 'Denaro' },
      default: 0,
      type: 'DECIMAL',
      required: true,
      sortable: true,
      rules: [{ rule: 'MIN_VALUE', parameter: '0' }],
    },
    {
      key: 'kind',
      label: 'Kind',
      type: 'ENUM',
      default: 'sw',
      values: [
        { key: 'hw', label: 'Hardware' },
        { key: 'sw', label: 'Software', translations: { it: 'Programmi' } },
      ],
    },
    {
      key: 'model',
      label: 'Model',
      type: 'HIERARCHICAL_ENUM',
      parent: 'kind',
      values: [{ key: 'laptop', label: 'Laptop', parents: ['hw'] }],
      conditions: [
        { field: 'kind', operator: 'in', values: ['hw'] },
        { field: 'supplier', operator: 'notIn', values: ['s2'] },
      ],
    },
    {
      key: 'supplier',
      label: 'Supplier',
      type: 'ENUM',
      default: 's1',
      catalog: 'suppliers',
      description: 'Who sends the goods',
    },
    {
      key: 'buyer',
      label: 'Buyer',
      type: 'GENERIC_ENTITY_LIST',
      metadata: { generic_entity_list_config_id: 'core.user' },
    },
    {
      key: 'margin',
      label: 'Margin',
      type: 'DECIMAL',
      visibleToRoles: ['MANAGER'],
      conditions: [{ field: 'amount', operator: 'atLeast', values: [1000] }],
    },
  ],
  workflow: {
    title: 'Approval',
    states: [
      { key: 'requested', name: 'Requested', initial: true, color: '#888888', metadata: { column: 'todo' } },
      {
        key: 'approved',
        name: 'Approved',
        terminal: true,
        screen: 'Decision',
        edit: { roles: ['MANAGER'], fields: ['buyer'] },
      },
    ],
    transitions: [
      {
        key: 'approve',
        name: 'Approve',
        from: 'requested',
        to: 'approved',
        metadata: { confirm: 'true' },
        screen: 'Decision',
        run: { roles: ['controller'], groups: ['Buyers'], fields: ['buyer'], screenFields: ['approver'] },
        conditions: [
          { field: 'kind', operator: 'in', values: ['hw', 'sw'] },
          { screenField: 'reason', operator: 'empty' },
        ],
        sets: [
          { field: 'level', values: ['low'] },
          { field: 'on', source: 'now' },
          { field: 'approver', source: 'actor' },
        ],
      },
    ],
    screens: [{ name: 'Decision', message: 'Say why', fields: [{ field: 'reason', required: true }] }],
    screenFields: [
      {
        key: 'reason',
        label: 'Reason',
        type: 'TEXT_AREA',
        visibleToRoles: ['CONTRIBUTOR', 'controller'],
        conditions: [{ field: 'level', operator: 'in', values: ['high'] }],
      },
      {
        key: 'level',
        label: 'Level',
        type: 'ENUM',
        values: [
          { key: 'low', label: 'Low' },
          { key: 'high', label: 'High' },
        ],
      },
      { key: 'on', label: 'Approved on', type: 'DATE' },
      {
        key: 'approver',
        label: 'Approver',
        type: 'GENERIC_ENTITY_LIST',
        metadata: { generic_entity_list_config_id: 'core.user' },
      },
    ],
  },
});
