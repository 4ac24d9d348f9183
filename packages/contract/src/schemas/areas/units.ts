/** Areas and business units, for administrators: two kinds of units with the same fields. */
import * as t from '../fields.ts';

const fields = {
  name: t.required(
    t.name('Name, unique among the units of its kind whatever the case and accents. 1 to 200 characters.'),
  ),
  externalId: t.text(
    'Identifier of the unit in another system, unique among the units of its kind. At most 255 characters.',
  ),
  description: t.text('Description. At most 2000 characters.'),
};

export const unitTypes = {
  OrganisationUnit: t.type('An area or a business unit of the organisation.', {
    id: t.int64('Id of the unit.'),
    name: t.text('Name of the unit.'),
    externalId: t.text('Identifier of the unit in another system.'),
    description: t.text('Description.'),
    usersCount: t.count('Number of people in it, without deleted people.'),
    occToken: t.token('Token to send back with an edit.'),
  }),
  ListUnitsRequest: t.type('Filter and paging of areas or business units.', {
    ...t.pageInputs,
    nameFilter: t.text('Only units whose name contains this text, ignoring case and accents.'),
  }),
  ListUnitsResponse: t.page('OrganisationUnit', 'A page of areas or business units, by name.'),
  CreateUnitRequest: t.type('A new area or business unit.', fields),
  CreateUnitResponse: t.type('Result of the creation of an area or a business unit.', {
    id: t.int64('Id of the new unit.'),
    nextOccToken: t.token('Token for the next edit.'),
  }),
  EditUnitRequest: t.type('New values of an area or a business unit; omitted fields are emptied.', {
    ...fields,
    occToken: t.required(t.token('Token from reading the unit; a stale token returns 409.')),
  }),
  EditUnitResponse: t.type('Result of the edit of an area or a business unit.', {
    nextOccToken: t.token('Token for the next edit.'),
  }),
};
