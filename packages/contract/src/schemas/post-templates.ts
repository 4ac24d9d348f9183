/** Templates for new posts. */
import { TextFormat, Visibility } from '../codes/codes.ts';
import { definitionLimits } from '../limits.ts';
import { code, type Fields, fieldValues, int64, list, ref, required, text, time, token, type } from './fields.ts';

const name = text('Name of the template.');
/** What a template gives to a new post. */
const content: Fields = {
  title: text('Title that the post begins with.'),
  description: text(
    'Text that the post begins with, as `descriptionFormat` says; its hashtags become those of the post.',
  ),
  descriptionFormat: code(TextFormat, 'How `description` is written.', { default: 1 }),
  visibility: code(Visibility, 'Visibility of the post.'),
  customData: fieldValues('Values of custom fields by field id; those that the caller does not see are left out.'),
};
const deltaAreaFormat = code(TextFormat, 'How every rich-text field in this body is written.', { default: 1 });

export const postTemplateTypes = {
  PostTemplate: type('A template for new posts of a community.', {
    id: int64('Id of the template.'),
    communityId: int64('Community whose posts it is for.'),
    name,
    ...content,
    lastModifyUser: ref('User', 'Who last edited it.'),
    lastModifyTimestamp: time('When it was last edited.'),
    occToken: token('Token for the next edit.'),
  }),
  ListPostTemplatesResponse: type('The templates of a community.', {
    templates: list('PostTemplate', 'The templates, in the order in which they were created.'),
  }),
  CreatePostTemplateRequest: type('A new template.', {
    name: required({ ...name, maxLength: definitionLimits.templateName }),
    ...content,
    deltaAreaFormat,
  }),
  DeletePostTemplateResponse: type('The template is gone.', {
    communityId: int64('Community whose template it was.'),
  }),
  EditPostTemplateRequest: type('New content of a template; what is left out is emptied.', {
    name: required({ ...name, maxLength: definitionLimits.templateName }),
    ...content,
    deltaAreaFormat,
    occToken: required(token('Token that the template gave; a stale one is a 409.')),
  }),
};
