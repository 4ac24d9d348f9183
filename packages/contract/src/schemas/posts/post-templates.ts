/** Templates for new posts. */
import { TextFormat, Visibility } from '../../codes/codes.ts';
import { definitionLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const name = t.name('Name of the template.');
/** Content of a template for a new post. */
const content: t.Fields = {
  title: t.text('Title that the post begins with.'),
  description: t.text(
    'Initial text of the post, in the format of `descriptionFormat`; its hashtags become hashtags of the post.',
  ),
  descriptionFormat: t.code(TextFormat, 'Format of `description`.', { default: 1 }),
  visibility: t.code(Visibility, 'Visibility of the post.'),
  customData: t.fieldValues('Values of custom fields by field id; fields that the caller does not see are omitted.'),
};
const deltaAreaFormat = t.code(TextFormat, 'Format of all rich-text fields in this body.', { default: 1 });

export const postTemplateTypes = {
  PostTemplate: t.type('A template for new posts of a community.', {
    id: t.int64('Id of the template.'),
    communityId: t.int64('Community of its posts.'),
    name,
    ...content,
    lastModifyUser: t.ref('User', 'User who last edited it.'),
    lastModifyTimestamp: t.time('Time at which it was last edited.'),
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
    communityId: t.int64('Community of the template.'),
  }),
  EditPostTemplateRequest: t.type('New content of a template; omitted fields are emptied.', {
    name: t.required({ ...name, maxLength: definitionLimits.templateName }),
    ...content,
    deltaAreaFormat,
    occToken: t.required(t.token('Token that the template returned; a stale token returns 409.')),
  }),
};
