/** The filter of the messages of a webhook in the address. */
import { stateSearch } from '../state-search.ts';

export const deliveryStates = ['waiting', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const readDeliveriesSearch = stateSearch(deliveryStates);
