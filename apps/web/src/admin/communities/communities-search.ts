/** The filters of the administrative list of communities in its address. */
export interface CommunitiesSearch {
  text?: string;
  workspace?: number;
}

export function readCommunitiesSearch({ text, workspace }: Record<string, unknown>): CommunitiesSearch {
  return {
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: String(text) }),
    ...(Number.isSafeInteger(workspace) && { workspace: workspace as number }),
  };
}
