/** Examples of answers, each valid against the answer's schema in strict mode. */
import { CapabilityScope, PartUse, Visibility } from '../codes/codes.ts';
import { ValidationType } from '../codes/defined-codes.ts';
import { FieldType } from '../codes/field-types.ts';
import type { OperationId } from '../operations/index.ts';
import type { OperationIo } from '../operations/io.ts';
import type { Example } from './request-examples.ts';

const created = Date.UTC(2026, 0, 5, 9);
const changed = Date.UTC(2026, 0, 6, 15, 30);
const ada = { id: 17, firstName: 'Ada', lastName: 'Rossi', caption: 'Controller', deleted: false, blocked: false };
const state = {
  id: 51,
  name: 'In discussion',
  initState: true,
  terminal: false,
  deleted: false,
  metadata: { color: '#12fea4' },
};
const post = {
  id: 1201,
  communityId: 5,
  customId: '42',
  title: 'Budget 2027',
  descriptionPlainText: 'First draft for discussion.',
  descriptionDelta: '[{"insert":"First draft for discussion.\\n"}]',
  visibility: Visibility.PUBLIC,
  announcement: false,
  currentWorkflowState: state,
  customData: {
    4104: Date.UTC(2026, 11, 1),
    4107: [{ id: 71, catalogId: 7, label: 'Finance', deleted: false }],
    4110: true,
    4115: [ada],
  },
  creatorUser: ada,
  creationTimestamp: created,
  lastModifyUser: ada,
  lastModifyTimestamp: changed,
  lastOperationTimestamp: changed,
  attachmentsCount: 1,
  imageAttachmentsCount: 0,
  videoAttachmentsCount: 0,
  commentsCount: 3,
  viewsCount: 28,
  viewedByUsersCount: 11,
  showLikeSection: true,
  likesCount: 2,
  likedByMe: false,
  followedByMe: true,
  tasksCount: 1,
  totalStandardTasksCount: 1,
};
const nextPageToken = 'eyJrIjpbMTc2N10sImgiOiI5ZjIifQ.c2ln';

/** Examples of 200 answers by operation. */
export const responseExamples: {
  readonly [K in OperationId]?: Readonly<Record<string, Example<OperationIo[K]['response']>>>;
} = {
  createAccessTokenByServiceAccount: {
    token: { summary: 'An access token', value: { accessToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.….…' } },
  },
  createAccessTokenByGoogleOAuth2: {
    token: { summary: 'An access token', value: { accessToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.….…' } },
  },
  currentUserData: {
    person: {
      summary: 'A person',
      value: {
        userData: { ...ada, contactEmail: 'ada.rossi@example.org', serviceAccount: false },
        userPreferences: { language: { code: 'en', description: 'English' }, emailNotificationsEnabled: true },
        hasGoogleCredentials: false,
        hasMicrosoftCredentials: false,
        hasCustomCredentials: true,
        canManageCustomCredentials: true,
        occToken: 2,
      },
    },
  },
  getPostDetailById: {
    post: {
      summary: 'A post',
      value: { ...post, watchers: [ada], watcherUsers: [ada], watcherGroups: [], hashtags: [] },
    },
  },
  listCommunityPostsFiltered: {
    page: {
      summary: 'A page with its total',
      value: {
        items: [
          { ...post, workflowStateDescription: 'In discussion', workflowStateColor: '#12fea4', viewedByMe: true },
        ],
        nextPageToken,
        totalItemsCount: 212,
      },
    },
    short: {
      summary: 'With loadPostDetails=false',
      value: {
        items: [
          {
            id: 1201,
            communityId: 5,
            customId: '42',
            title: 'Budget 2027',
            creationTimestamp: created,
            lastModifyTimestamp: changed,
            lastOperationTimestamp: changed,
          },
        ],
      },
    },
  },
  globalPostsStream: {
    round: {
      summary: 'The end of a round',
      value: {
        items: [
          { ...post, status: 'MODIFIED', deleted: false },
          { id: 1198, communityId: 5, status: 'DELETED', deleted: true },
        ],
        nextSyncToken: 'eyJnIjoxLCJzIjo0NzExfQ.c2ln',
      },
    },
  },
  getPostDefinition: {
    definition: {
      summary: 'A definition with one field',
      value: {
        communityId: 5,
        titleEnabled: PartUse.REQUIRED,
        descriptionEnabled: PartUse.OPTIONAL,
        watchersEnabled: PartUse.OPTIONAL,
        hashTagEnabled: true,
        attachmentEnabled: true,
        customFieldsEnabled: true,
        attachmentMaxSize: 104_857_600,
        defaultPostVisibility: Visibility.PUBLIC,
        fieldDefinitions: [
          {
            id: 4104,
            name: 'column_4104',
            label: 'Due date',
            type: FieldType.DATE,
            required: false,
            readonly: false,
            searchable: true,
            sortable: true,
            visibleInPreview: true,
            visibleInDetail: true,
            visibleInCreate: true,
            visibleInEdit: true,
            enumValues: [],
            metadata: {},
            validations: [
              { id: 9, fieldId: 4104, validationTypeId: ValidationType.NOT_IN_THE_PAST, parameter: null, order: 0 },
            ],
          },
        ],
        hashtags: [{ id: 61, name: 'finance', deleted: false }],
        workflowDefinition: { id: 8, title: 'Approval', states: [state], transitions: [], empty: false },
      },
    },
  },
  getPostCapabilities: {
    author: {
      summary: 'For the author',
      value: {
        canViewDetail: true,
        canModify: true,
        canCopy: true,
        canDelete: true,
        canViewComment: true,
        canAddComment: true,
        canEditComment: CapabilityScope.OWN,
        canDeleteComment: CapabilityScope.OWN,
        canCreateTask: true,
        workflowPermittedOperations: [{ id: 81, name: 'Approve', fromState: state, toState: { ...state, id: 52 } }],
        canEditWorkflowScreenData: false,
      },
    },
  },
  checkPostVisibility: {
    two: {
      summary: 'Two of three',
      value: {
        posts: [
          { id: 1201, canViewComments: true },
          { id: 1203, canViewComments: false },
        ],
      },
    },
  },
  createCustomPost: {
    post: { summary: 'The new post', value: { postId: 1201, nextOccToken: 1, postData: { ...post, draft: false } } },
  },
  editCustomPost: {
    post: { summary: 'The edited post', value: { nextOccToken: 8, postData: { ...post, draft: false } } },
  },
  editGroupMembers: {
    mixed: {
      summary: 'One changed, one stale',
      value: {
        successGroups: [{ id: 31, name: 'Sales', occToken: 5, membersCount: 12 }],
        concurrencyErrorGroups: [{ id: 32, name: 'Production', occToken: 11, membersCount: 40 }],
      },
    },
  },
  uploadNewFile: {
    upload: {
      summary: 'Where to send the file',
      value: {
        contentRef: '9f2c4a0e5b7d11c3a6e8f0b2d4c6e8fa1b3d5f7092a4c6e8b0d2f4a6c8e0b2d4',
        uploadUrl: 'https://portal.example.org/portal/storage/upload',
        uploadMultipartRequestBodyParams: {
          key: 'temporary-uploads/9f2c4a0e5b7d11c3a6e8f0b2d4c6e8fa1b3d5f7092a4c6e8b0d2f4a6c8e0b2d4',
          policy: 'eyJleHBpcmF0aW9uIjoi…',
          signature: 'c2lnbmF0dXJl',
        },
        temporaryDownloadUrl: 'https://portal.example.org/portal/storage/temporary/9f2c4a0e?signature=c2ln',
      },
    },
  },
};
