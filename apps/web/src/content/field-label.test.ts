import type { GetPostDefinitionResponse } from '@portico/sdk';
import { expect, test } from 'vitest';
import { definitionIn, inLanguage } from './field-label.ts';

test.for([
  ['it', 'Importo'],
  ['it-IT', 'Importo'],
  ['pt-BR', 'Valor'],
  ['pt', 'Amount'],
  ['de', 'Amount'],
] as const)('%s reads %s', ([tag, label]) => {
  const field = { id: 1, label: 'Amount', translations: { it: 'Importo', 'pt-BR': 'Valor' } };
  expect(inLanguage(field, tag).label).toBe(label);
});

test('a definition has the labels of posts and of screens in the language', () => {
  const field = {
    id: 1,
    label: 'Amount',
    translations: { it: 'Importo' },
    section: 'Money',
    sectionTranslations: { it: 'Soldi' },
    enumValues: [
      { id: 7, label: 'High', translations: { it: 'Alta' } },
      { id: 8, label: 'Low' },
    ],
  };
  const definition: object = {
    fieldDefinitions: [field, { id: 2, label: 'Note', section: 'Money' }],
    workflowDefinition: { id: 5, screenFieldMetadatas: [field] },
  };
  const { fieldDefinitions, workflowDefinition } = definitionIn(definition as GetPostDefinitionResponse, 'it');
  expect(fieldDefinitions?.map(({ label }) => label)).toEqual(['Importo', 'Note']);
  expect(fieldDefinitions?.map(({ section }) => section)).toEqual(['Soldi', 'Soldi']);
  expect(workflowDefinition).toMatchObject({
    id: 5,
    screenFieldMetadatas: [
      { id: 1, label: 'Importo', section: 'Soldi', enumValues: [{ label: 'Alta' }, { label: 'Low' }] },
    ],
  });
});
