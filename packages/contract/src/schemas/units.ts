/** Areas and business units, for administrators: two kinds of units with the same fields. */
import { count, int64, page, pageInputs, required, text, token, type } from './fields.ts';

const fields = {
  name: required(text('Name, unique among the units of its kind whatever the case and accents. 1 to 200 characters.')),
  externalId: text(
    'Identifier of the unit in another system, unique among the units of its kind. At most 255 characters.',
  ),
  description: text('What it is. At most 2000 characters.'),
};

export const unitTypes = {
  OrganisationUnit: type('An area or a business unit of the organisation.', {
    id: int64('Id of the unit.'),
    name: text('Name of the unit.'),
    externalId: text('Identifier of the unit in another system.'),
    description: text('What it is.'),
    usersCount: count('How many people are in it, deleted ones not counted.'),
    occToken: token('Token to send back with an edit.'),
  }),
  ListUnitsRequest: type('Filter and paging of areas or business units.', {
    ...pageInputs,
    nameFilter: text('Only units whose name contains this, whatever the case and accents.'),
  }),
  ListUnitsResponse: page('OrganisationUnit', 'A page of areas or business units, by name.'),
  CreateUnitRequest: type('A new area or business unit.', fields),
  CreateUnitResponse: type('Result of the creation of an area or a business unit.', {
    id: int64('Id of the new unit.'),
    nextOccToken: token('Token for the next edit.'),
  }),
  EditUnitRequest: type('New values of an area or a business unit; what is left out is emptied.', {
    ...fields,
    occToken: required(token('Token that the unit was read with; a stale one is a 409.')),
  }),
  EditUnitResponse: type('Result of the edit of an area or a business unit.', {
    nextOccToken: token('Token for the next edit.'),
  }),
};
