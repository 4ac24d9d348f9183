/** Favourite communities. */
import { defineOperations } from '../define.ts';

export const favouritesOperations = defineOperations('communities', {
  editFavouriteCommunity: {
    method: 'PUT',
    path: '/communication/communities/manage/favourite/{communityId}',
    body: 'EditFavouriteRequest',
    responses: { 200: 'EditFavouriteResponse', 400: 'ValidationErrorResponse', 404: null, 409: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'Add a community to the favourites, or remove it',
    description:
      'Applies to the caller alone. Requires no token. With 200 favourite communities the ' + 'operation returns 409.',
    clientMethod: 'favourite',
    command: { examples: ['12', '12 --no-favourite'] },
  },
});
