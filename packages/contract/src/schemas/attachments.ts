/** Attachments and uploads. */
import { AttachmentEntityType, AttachmentType, MimeTypeCategory } from '../codes/codes.ts';
import { attachmentOrders } from '../filters.ts';
import * as t from './fields.ts';

/** Facts about a file, wherever one appears. */
const fileFields: t.Fields = {
  contentRef: t.text('Reference of the content in the storage.'),
  temporaryContentViewLink: t.uri(
    'Short-lived signed address that shows the file; of a file in Google Drive, where it opens. A file that may not be downloaded has one only where a viewer shows its type: pictures, PDF, audio, video, text.',
  ),
  temporaryContentDownloadLink: t.uri(
    'Short-lived signed address that downloads the file; of a file in Google Drive, its address there. Absent for a stored file that may not be downloaded.',
  ),
  temporaryContentPreviewImageLink: t.uri('Short-lived signed address of a small still picture.'),
  temporaryContentPreviewImageAnimatedLink: t.uri('Short-lived signed address of a small moving picture.'),
  temporaryContentPreviewImageHiResLink: t.uri('Short-lived signed address of a large still picture.'),
  temporaryContentPreviewImageHiResAnimatedLink: t.uri('Short-lived signed address of a large moving picture.'),
  contentMimeType: t.text('Media type, found from the bytes.'),
  etag: t.text('Changes when the content does.'),
  md5Hash: t.text('MD5 of the content: 32 lower-case hexadecimal characters.'),
  size: t.bigCount('Size in bytes.'),
  id: t.int64('Id of the attachment; the same for all its versions.'),
  name: t.text('File name.'),
  creatorUser: t.ref('User', 'Who attached the file.'),
  creationTimestamp: t.time('When the file was attached.'),
  lastModifyUser: t.ref('User', 'Who last changed the attachment.'),
  lastModifyTimestamp: t.time('When the attachment was last changed.'),
  communityId: t.int64('Community of the post it belongs to.'),
  downloadable: t.flag(
    'Whether readers may download the file; false for files in Google Drive, which keep both links nevertheless.',
  ),
};

const drive = t.ref('DriveAttachmentData', 'The file in Google Drive, for type 2.');

const attachmentFields: t.Fields = {
  ...fileFields,
  versionNumber: t.int32('Number of the version, from 1.'),
  type: t.code(AttachmentType, 'Where the bytes are.'),
  hashtags: t.list('Hashtag', 'Hashtags of the attachment.'),
  referencedId: t.int64('Attachment to which this one refers, if it is a reference.'),
  reference: t.flag('True when this is a reference to an attachment of another post.'),
  drive,
};

export const attachmentTypes = {
  DriveAttachmentData: t.type('A file in Google Drive.', {
    driveId: t.required(t.text('Id of the file in Google Drive.')),
    mimeType: t.text('Media type that Google Drive reports.'),
    size: t.bigCount('Size in bytes.'),
    webViewLink: t.text('Address that opens the file in Google Drive.'),
    webContentLink: t.text('Address that downloads the file from Google Drive.'),
  }),
  PostAttachmentData: t.type('An attachment.', attachmentFields),
  PostAttachmentVersion: t.type('One version of an attachment.', {
    ...fileFields,
    versionNumber: t.int32('Number of the version, from 1.'),
    drive,
  }),
  PostCommentAttachment: t.type('An attachment of a comment.', fileFields),
  TaskAttachmentData: t.type('An attachment of a task.', {
    ...fileFields,
    capabilities: t.ref('TaskAttachmentCapabilities', 'What the caller may do with it.'),
  }),
  TaskAttachmentCapabilities: t.type('What the caller may do with an attachment of a task.', {
    canEdit: t.flag('May change it.'),
    canEditHashtags: t.flag('May change its hashtags.'),
    canDelete: t.flag('May remove it.'),
  }),
  ListPostAttachmentsByPostIdRequest: t.type('Filters, order and paging of the attachments of a post.', {
    ...t.pageInputs,
    types: t.codeList(AttachmentType, 'Where the bytes are.', { default: [1] }),
    entityTypes: t.codeList(AttachmentEntityType, 'What they belong to.', { default: [1, 4, 5] }),
    mimeTypes: t.texts('Only these media types, such as `application/pdf`; `image/*` is understood.'),
    mimeTypeCategory: t.word(
      Object.values(MimeTypeCategory),
      'Only this family: `multimedia` is pictures, video and audio.',
    ),
    postFilePickerFieldId: t.int64('Only files of this file-picker field of posts.'),
    wfScreenFilePickerFieldId: t.int64('Only files of this file-picker field of workflow screens.'),
    language: t.text('Accepted and without effect.'),
    aiSupportedFilter: t.flag('True: only files whose text can be extracted.'),
    orderBy: t.word(attachmentOrders, 'What to order by.', { default: 'creationTimestamp' }),
    orderDesc: t.orderDesc(true),
  }),
  ListPostAttachmentsElement: t.type('An attachment in the list of a post.', {
    ...attachmentFields,
    post: t.ref('BaseListPostsElement', 'The post.'),
    attachmentEntityType: t.code(AttachmentEntityType, 'What it belongs to.'),
    commentId: t.int64('Comment that it belongs to, if it belongs to one.'),
    taskId: t.int64('Task that it belongs to, if it belongs to one.'),
  }),
  ListPostAttachmentsResponse: t.page(
    'ListPostAttachmentsElement',
    'A page of attachments. The counts are those of the whole post.',
    {
      canAddAttachment: t.flag('Whether the caller may add attachments.'),
      imageAttachmentsCount: t.count('How many pictures the post has.'),
      videoAttachmentsCount: t.count('How many videos the post has.'),
      audioAttachmentsCount: t.count('How many sound files the post has.'),
      documentsAttachmentsCount: t.count('How many other files the post has.'),
    },
  ),
  GetPostAttachmentDetailResponse: t.type('An attachment and its post.', {
    attachmentData: t.ref('PostAttachmentData', 'The attachment.'),
    post: t.ref('PostBaseInfo', 'The post it belongs to.'),
  }),
  GetTemporaryImageUploadUrlBaseResponse: t.type('Where to send a file, and by what name to call it afterwards.', {
    contentRef: t.text('Reference to put into posts, comments and tasks; 64 hexadecimal digits.'),
    uploadUrl: t.uri('Absolute address that takes the file by multipart POST.'),
    uploadMultipartRequestBodyParams: t.textMap('Form fields to send before the part `file`, all of them as they are.'),
    temporaryDownloadUrl: t.uri('Short-lived signed address from which the file can be read once it is there.'),
  }),
};
