/** People: users, groups, profiles, credentials. What other modules may use of them. */
export {
  type GroupViewOptions,
  type GroupViewRow,
  groupViewColumns,
  loadGroupViews,
  loadUserViews,
  type PhotoUrl,
  presentGroup,
  presentUser,
  type UserViewRow,
  userViewColumns,
  type ViewOptions,
} from './views.ts';
