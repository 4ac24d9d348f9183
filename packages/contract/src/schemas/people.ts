/** The lists of people and groups that every member reads. */
import { int64, page, pageInputs, text, type } from './fields.ts';

export const peopleTypes = {
  ListPeopleRequest: type('Whom to list, and paging.', {
    ...pageInputs,
    fullTextFilter: text('Words looked for in names and the e-mail address, ignoring case and accents.'),
    communityId: int64('Only who has a role in this community.'),
    postId: int64('Only who can read this post; of a draft, who could once it is published.'),
  }),
  ListPeopleResponse: page('User', 'A page of people.'),
  ListPeopleGroupsResponse: page('Group', 'A page of groups.'),
};
