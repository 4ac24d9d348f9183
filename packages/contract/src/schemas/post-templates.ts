/** Templates for new posts. */
import { TextFormat, Visibility } from '../codes/codes.ts';
import { definitionLimits } from '../limits.ts';
import * as t from './fields.ts';

const name = t.name('Name of the template.');
/** Content of a template for a new post. */
const content: t.Fields = {
  title: t.text('Title that the post begins with.'),
  description: t.text(
    'Text that the post begins with, as `descriptionFormat` says; its hashtags become those of the post.',
  ),
  descriptionFormat: t.code(TextFormat, 'How `description` is written.', { default: 1 }),
  visibility: t.code(Visibility, 'Visibility of the post.'),
  customData: t.fieldValues('Values of custom fields by field id; those that the caller does not see are left out.'),
};
const deltaAreaFormat = t.code(TextFormat, 'How every rich-text field in this body is written.', { default: 1 });

export const postTemplateTypes = {
  PostTemplate: t.type('A template for new posts of a community.', {
    id: t.int64('Id of the template.'),
    communityId: t.int64('Community whose posts it is for.'),
    name,
    ...content,
    lastModifyUser: t.ref('User', 'Who last edited it.'),
    lastModifyTimestamp: t.time('When it was last edited.'),
    occToken: t.token('Token for the next edit.'),
  }),
  ListPostTemplatesResponse: t.type('The templates of a community.', {
    templates: t.list('PostTemplate', 'The templates, in the order in which they were created.'),
  }),
  CreatePostTemplateRequest: t.type('A new template.', {
    name: t.required({ ...name, maxLength: definitionLimits.templateName }),
    ...content,
    deltaAreaFormat,
  }),
  DeletePostTemplateResponse: t.type('The template is gone.', {
    communityId: t.int64('Community whose template it was.'),
  }),
  EditPostTemplateRequest: t.type('New content of a template; what is left out is emptied.', {
    name: t.required({ ...name, maxLength: definitionLimits.templateName }),
    ...content,
    deltaAreaFormat,
    occToken: t.required(t.token('Token that the template gave; a stale one is a 409.')),
  }),
};
