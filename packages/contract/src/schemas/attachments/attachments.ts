/** Attachments and uploads. */
import { AttachmentEntityType, AttachmentType, MimeTypeCategory } from '../../codes/codes.ts';
import { attachmentOrders } from '../../filters.ts';
import * as t from '../fields.ts';

/** Facts about a file, wherever one appears. */
const fileFields: t.Fields = {
  contentRef: t.text('Reference of the content in the storage.'),
  temporaryContentViewLink: t.uri(
    'Short-lived signed address that shows the file; for a file in Google Drive, its address ' +
      'there. A file that may not be downloaded has one only if a viewer shows its type: ' +
      'pictures, PDF, audio, video, text.',
  ),
  temporaryContentDownloadLink: t.uri(
    'Short-lived signed address that downloads the file; for a file in Google Drive, its ' +
      'address there. Absent for a stored file that may not be downloaded.',
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
  creatorUser: t.ref('User', 'User who attached the file.'),
  creationTimestamp: t.time('Time at which the file was attached.'),
  lastModifyUser: t.ref('User', 'User who last changed the attachment.'),
  lastModifyTimestamp: t.time('Time at which the attachment was last changed.'),
  communityId: t.int64('Community of the post it belongs to.'),
  downloadable: t.flag(
    'Whether readers may download the file; false for files in Google Drive, which keep both links nevertheless.',
  ),
};

const drive = t.ref('DriveAttachmentData', 'The file in Google Drive, for type 2.');

const attachmentFields: t.Fields = {
  ...fileFields,
  versionNumber: t.int32('Number of the version, from 1.'),
  type: t.code(AttachmentType, 'Storage of the content.'),
  hashtags: t.list('Hashtag', 'Hashtags of the attachment.'),
  referencedId: t.int64('Attachment to which this one refers, if it is a reference.'),
  reference: t.flag('True when this is a reference to an attachment of another post.'),
  drive,
};

export const attachmentTypes = {
  DriveAttachmentData: t.type('A file in Google Drive.', {
    driveId: t.requiredByRule(t.text('Id of the file in Google Drive.')),
    mimeType: t.text('Media type that Google Drive reports.'),
    size: t.bigCount('Size in bytes.'),
    webViewLink: t.text('Address that opens the file in Google Drive.'),
    webContentLink: t.text('Address that downloads the file from Google Drive.'),
  }),
  PostAttachmentData: t.type('An attachment.', attachmentFields),
  PostAttachmentVersion: t.type('A version of an attachment.', {
    ...fileFields,
    versionNumber: t.int32('Number of the version, from 1.'),
    drive,
  }),
  PostCommentAttachment: t.type('An attachment of a comment.', fileFields),
  TaskAttachmentData: t.type('An attachment of a task.', {
    ...fileFields,
    capabilities: t.ref('TaskAttachmentCapabilities', 'Capabilities of the caller.'),
  }),
  TaskAttachmentCapabilities: t.type('Capabilities of the caller on an attachment of a task.', {
    canEdit: t.flag('May change it.'),
    canEditHashtags: t.flag('May change its hashtags.'),
    canDelete: t.flag('May remove it.'),
  }),
  ListPostAttachmentsByPostIdRequest: t.type('Filters, order and paging of the attachments of a post.', {
    ...t.pageInputs,
    types: t.codeList(AttachmentType, 'Storage of the content.', { default: [1] }),
    entityTypes: t.codeList(AttachmentEntityType, 'Kinds of object that the attachments belong to.', {
      default: [1, 4, 5],
    }),
    mimeTypes: t.texts('Only these media types, such as `application/pdf`; `image/*` is accepted.'),
    mimeTypeCategory: t.word(
      Object.values(MimeTypeCategory),
      'Only this family: `multimedia` is pictures, video and audio.',
    ),
    postFilePickerFieldId: t.int64('Only files of this file-picker field of posts.'),
    wfScreenFilePickerFieldId: t.int64('Only files of this file-picker field of workflow screens.'),
    language: t.text('Accepted and without effect.'),
    aiSupportedFilter: t.flag('True: only files whose text can be extracted.'),
    orderBy: t.word(attachmentOrders, 'Sort order.', { default: 'creationTimestamp' }),
    orderDesc: t.orderDesc(true),
  }),
  ListPostAttachmentsElement: t.type('An attachment in the list of a post.', {
    ...attachmentFields,
    post: t.ref('BaseListPostsElement', 'The post.'),
    attachmentEntityType: t.code(AttachmentEntityType, 'Kind of object that it belongs to.'),
    commentId: t.int64('Comment that it belongs to, if it belongs to one.'),
    taskId: t.int64('Task that it belongs to, if it belongs to one.'),
  }),
  ListPostAttachmentsResponse: t.page(
    'ListPostAttachmentsElement',
    'A page of attachments. The counts refer to the whole post.',
    {
      canAddAttachment: t.flag('Whether the caller may add attachments.'),
      imageAttachmentsCount: t.count('Number of pictures of the post.'),
      videoAttachmentsCount: t.count('Number of videos of the post.'),
      audioAttachmentsCount: t.count('Number of sound files of the post.'),
      documentsAttachmentsCount: t.count('Number of other files of the post.'),
    },
  ),
  GetPostAttachmentDetailResponse: t.type('An attachment and its post.', {
    attachmentData: t.ref('PostAttachmentData', 'The attachment.'),
    post: t.ref('PostBaseInfo', 'The post it belongs to.'),
  }),
  GetTemporaryImageUploadUrlBaseResponse: t.type(
    'Address for the upload of a file, and the name of the file for later requests.',
    {
      contentRef: t.text('Reference to put into posts, comments and tasks; 64 hexadecimal digits.'),
      uploadUrl: t.uri('Absolute address that takes the file by multipart POST.'),
      uploadMultipartRequestBodyParams: t.textMap('Form fields to send unchanged before the part `file`.'),
      temporaryDownloadUrl: t.uri('Short-lived signed address from which the file can be read once it is there.'),
    },
  ),
};
