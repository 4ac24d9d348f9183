/** Attachments and uploads. */
import { AttachmentEntityType, AttachmentType, MimeTypeCategory } from '../codes/codes.ts';
import { attachmentOrders } from '../filters.ts';
import {
  bigCount,
  code,
  codeList,
  count,
  type Fields,
  flag,
  int32,
  int64,
  list,
  orderDesc,
  page,
  pageInputs,
  ref,
  required,
  text,
  textMap,
  texts,
  time,
  type,
  uri,
  word,
} from './fields.ts';

/** What is said of a file wherever one appears. */
const fileFields: Fields = {
  contentRef: text('Reference of the content in the storage.'),
  temporaryContentViewLink: uri(
    'Short-lived signed address that shows the file; of a file in Google Drive, where it opens. A file that may not be downloaded has one only where a viewer shows its type: pictures, PDF, audio, video, text.',
  ),
  temporaryContentDownloadLink: uri(
    'Short-lived signed address that downloads the file; of a file in Google Drive, its address there. Absent for a stored file that may not be downloaded.',
  ),
  temporaryContentPreviewImageLink: uri('Short-lived signed address of a small still picture.'),
  temporaryContentPreviewImageAnimatedLink: uri('Short-lived signed address of a small moving picture.'),
  temporaryContentPreviewImageHiResLink: uri('Short-lived signed address of a large still picture.'),
  temporaryContentPreviewImageHiResAnimatedLink: uri('Short-lived signed address of a large moving picture.'),
  contentMimeType: text('Media type, found from the bytes.'),
  etag: text('Changes when the content does.'),
  md5Hash: text('MD5 of the content: 32 lower-case hexadecimal characters.'),
  size: bigCount('Size in bytes.'),
  id: int64('Id of the attachment; the same for all its versions.'),
  name: text('File name.'),
  creatorUser: ref('User', 'Who attached the file.'),
  creationTimestamp: time('When the file was attached.'),
  lastModifyUser: ref('User', 'Who last changed the attachment.'),
  lastModifyTimestamp: time('When the attachment was last changed.'),
  communityId: int64('Community of the post it belongs to.'),
  downloadable: flag(
    'Whether readers may download the file; false for files in Google Drive, which keep both links nevertheless.',
  ),
};

const drive = ref('DriveAttachmentData', 'The file in Google Drive, for type 2.');

const attachmentFields: Fields = {
  ...fileFields,
  versionNumber: int32('Number of the version, from 1.'),
  type: code(AttachmentType, 'Where the bytes are.'),
  hashtags: list('Hashtag', 'Hashtags of the attachment.'),
  referencedId: int64('Attachment to which this one refers, if it is a reference.'),
  reference: flag('True when this is a reference to an attachment of another post.'),
  drive,
};

export const attachmentTypes = {
  DriveAttachmentData: type('A file in Google Drive.', {
    driveId: required(text('Id of the file in Google Drive.')),
    mimeType: text('Media type that Google Drive reports.'),
    size: bigCount('Size in bytes.'),
    webViewLink: text('Address that opens the file in Google Drive.'),
    webContentLink: text('Address that downloads the file from Google Drive.'),
  }),
  PostAttachmentData: type('An attachment.', attachmentFields),
  PostAttachmentVersion: type('One version of an attachment.', {
    ...fileFields,
    versionNumber: int32('Number of the version, from 1.'),
    drive,
  }),
  PostCommentAttachment: type('An attachment of a comment.', fileFields),
  TaskAttachmentData: type('An attachment of a task.', {
    ...fileFields,
    capabilities: ref('TaskAttachmentCapabilities', 'What the caller may do with it.'),
  }),
  TaskAttachmentCapabilities: type('What the caller may do with an attachment of a task.', {
    canEdit: flag('May change it.'),
    canEditHashtags: flag('May change its hashtags.'),
    canDelete: flag('May remove it.'),
  }),
  ListPostAttachmentsByPostIdRequest: type('Filters, order and paging of the attachments of a post.', {
    ...pageInputs,
    types: codeList(AttachmentType, 'Where the bytes are.', { default: [1] }),
    entityTypes: codeList(AttachmentEntityType, 'What they belong to.', { default: [1, 4, 5] }),
    mimeTypes: texts('Only these media types, such as `application/pdf`; `image/*` is understood.'),
    mimeTypeCategory: word(
      Object.values(MimeTypeCategory),
      'Only this family: `multimedia` is pictures, video and audio.',
    ),
    postFilePickerFieldId: int64('Only files of this file-picker field of posts.'),
    wfScreenFilePickerFieldId: int64('Only files of this file-picker field of workflow screens.'),
    language: text('Accepted and without effect.'),
    aiSupportedFilter: flag('True: only files whose text can be extracted.'),
    orderBy: word(attachmentOrders, 'What to order by.', { default: 'creationTimestamp' }),
    orderDesc: orderDesc(true),
  }),
  ListPostAttachmentsElement: type('An attachment in the list of a post.', {
    ...attachmentFields,
    post: ref('BaseListPostsElement', 'The post.'),
    attachmentEntityType: code(AttachmentEntityType, 'What it belongs to.'),
    commentId: int64('Comment that it belongs to, if it belongs to one.'),
    taskId: int64('Task that it belongs to, if it belongs to one.'),
  }),
  ListPostAttachmentsResponse: page(
    'ListPostAttachmentsElement',
    'A page of attachments. The counts are those of the whole post.',
    {
      canAddAttachment: flag('Whether the caller may add attachments.'),
      imageAttachmentsCount: count('How many pictures the post has.'),
      videoAttachmentsCount: count('How many videos the post has.'),
      audioAttachmentsCount: count('How many sound files the post has.'),
      documentsAttachmentsCount: count('How many other files the post has.'),
    },
  ),
  GetPostAttachmentDetailResponse: type('An attachment and its post.', {
    attachmentData: ref('PostAttachmentData', 'The attachment.'),
    post: ref('PostBaseInfo', 'The post it belongs to.'),
  }),
  GetTemporaryImageUploadUrlBaseResponse: type('Where to send a file, and by what name to call it afterwards.', {
    contentRef: text('Reference to put into posts, comments and tasks; 64 hexadecimal digits.'),
    uploadUrl: uri('Absolute address that takes the file by multipart POST.'),
    uploadMultipartRequestBodyParams: textMap('Form fields to send before the part `file`, all of them as they are.'),
    temporaryDownloadUrl: uri('Short-lived signed address from which the file can be read once it is there.'),
  }),
};
