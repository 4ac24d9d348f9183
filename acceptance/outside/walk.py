"""
The life of a post, a user and a group, with a client that openapi-python-client has generated from the document alone.

Usage: walk.py <folder of the generated package>. Every call must answer with what the document declares: the generated
client parses nothing else.
"""

import sys
import time

sys.path.insert(0, sys.argv[1])

from portico_client import AuthenticatedClient  # noqa: E402
from portico_client import models as m  # noqa: E402
from portico_client.api.auth import current_user_data  # noqa: E402
from portico_client.api.comments import create_post_comment, list_post_comments  # noqa: E402
from portico_client.api.communities import get_can_create_post_communities, get_post_definition  # noqa: E402
from portico_client.api.groups import (  # noqa: E402
    create_group,
    delete_group,
    edit_group,
    edit_group_members,
    get_group_for_edit,
    list_groups_members,
    list_system_groups,
)
from portico_client.api.posts import (  # noqa: E402
    create_custom_post,
    delete_post,
    edit_custom_post,
    edit_post_watchers,
    get_custom_post_data_for_edit,
    get_post_capabilities,
    get_post_detail_by_id,
    list_community_posts_filtered,
)
from portico_client.api.tasks import create_task, delete_task, edit_task, get_task_detail_by_id  # noqa: E402
from portico_client.api.users import (  # noqa: E402
    create_user,
    delete_user,
    edit_user,
    get_user_for_edit,
    list_system_users,
)
from sign_in import access_token  # noqa: E402
import os  # noqa: E402

client = AuthenticatedClient(
    base_url=os.environ["PORTICO_URL"] + "/portal/api", token=access_token(), raise_on_unexpected_status=True
)
mark = f"walk-{int(time.time())}"


def call(operation, *args, answer, status=200, **kwargs):
    """Calls an operation; the answer must have the status and be parsed as the declared type."""
    response = operation.sync_detailed(*args, client=client, **kwargs)
    name = operation.__name__.rsplit(".", 1)[1]
    if response.status_code != status:
        raise SystemExit(f"{name}: {response.status_code} instead of {status}: {response.content[:2000]!r}")
    if answer is None:
        if response.content or response.parsed is not None:
            raise SystemExit(f"{name}: a body where none is declared: {response.content[:200]!r}")
    elif not isinstance(response.parsed, answer):
        raise SystemExit(f"{name}: {type(response.parsed).__name__} instead of {answer.__name__}")
    # What the type does not declare is kept aside by the generated models; answers hold nothing undeclared.
    if (extra := undeclared(response.parsed)) is not None:
        raise SystemExit(f"{name}: undeclared in the answer: {extra}")
    print(f"{name}: {response.status_code}")
    return response.parsed


def undeclared(value, path=""):
    if isinstance(value, list):
        return next((found for item in value if (found := undeclared(item, path + "[]")) is not None), None)
    if not hasattr(value, "additional_properties"):
        return None
    names = [attribute.name for attribute in value.__attrs_attrs__ if attribute.name != "additional_properties"]
    fields = {name: getattr(value, name) for name in names}
    if value.additional_properties and fields:
        return f"{path}: {sorted(value.additional_properties)}"
    return next(
        (found for name, item in fields.items() if (found := undeclared(item, f"{path}.{name}")) is not None), None
    )


def expect(what, condition):
    if not condition:
        raise SystemExit(f"not as expected: {what}")


me = call(current_user_data, answer=m.CurrentUserDataResponse).user_data

# A user.
made = call(
    create_user,
    answer=m.CreateUserResponse,
    body=m.CreateUserRequest(firstname="Wanda", lastname=mark, contact_email=f"{mark}@example.org"),
)
form = call(get_user_for_edit, made.user_id, answer=m.GetUserForEditResponse)
expect("the name", form.lastname == mark)
edit = m.EditUserRequest(
    firstname="Wanda Maria",
    lastname=mark,
    occ_token=form.occ_token,
    external_id=None,
    user_info=m.UserInfoInput(phone="+39 02 1", role="Walker"),
)
call(edit_user, made.user_id, answer=m.EditUserResponse, body=edit)
stale = call(edit_user, made.user_id, answer=m.ConflictError, status=409, body=edit)
expect("who was faster", stale.changed_by.id == me.id and stale.changed_by.name)
users = call(list_system_users, answer=m.ListSystemUsersResponse, body=m.ListSystemUsersRequest(full_text_filter=mark))
expect("the user in the list", [user.id for user in users.items] == [made.user_id])
refused = call(
    create_user,
    answer=m.ValidationProblem,
    status=400,
    body=m.CreateUserRequest(firstname=" ", lastname=mark),
)
expect("the field at fault", refused.validation_errors.list_[0].field == "firstname")

# A group with that user.
group = call(
    create_group,
    answer=m.CreateGroupResponse,
    body=m.CreateGroupRequest(name=mark, visible=True, member_ids=[made.user_id]),
)
group_form = call(get_group_for_edit, group.group_id, answer=m.GetGroupForEditResponse)
expect("the member", [user.id for user in group_form.members] == [made.user_id])
edited = call(
    edit_group,
    group.group_id,
    answer=m.EditGroupResponse,
    body=m.EditGroupRequest(name=f"{mark} edited", occ_token=group_form.occ_token, visible=True),
)
bulk = call(
    edit_group_members,
    answer=m.EditMultipleGroupsMembersResponse,
    body=m.EditMultipleGroupsMembersRequest(
        group_members=[
            m.EditGroupMembersRequest(id=group.group_id, occ_token=edited.next_occ_token, add_user_ids=[me.id])
        ]
    ),
)
expect("the group among those that were changed", [one.id for one in bulk.success_groups] == [group.group_id])
members = call(
    list_groups_members,
    group.group_id,
    answer=m.ListGroupMembersResponse,
    body=m.ListGroupMembersRequest(calculate_total_items_count=True),
)
expect("two members", members.total_items_count == 2)
groups = call(
    list_system_groups, answer=m.ListSystemGroupsResponse, body=m.ListSystemGroupsRequest(full_text_filter=mark)
)
expect("the group in the list", [one.id for one in groups.items] == [group.group_id])

# A post, with a comment, a watcher and a task.
communities = call(get_can_create_post_communities, answer=m.ListCommunitiesResponse).communities
post = community_id = None
for community in communities:
    call(get_post_definition, community.id, answer=m.GetPostDefinitionResponse)
    new = m.CreateCustomPostRequest(
        title=mark, description="From a generated client.", description_format=2, announcement=False, client_uid=mark
    )
    tried = create_custom_post.sync_detailed(community.id, client=client, body=new, dry_run=True)
    if tried.status_code == 400:
        # The community demands custom fields: the next one may not.
        expect("a list of faults", isinstance(tried.parsed, m.CustomFieldValidationProblem))
        continue
    expect("what a dry run tells", tried.parsed.dry_run.changes[0].entity == "post")
    post = call(create_custom_post, community.id, answer=m.CreatePostResponse, body=new)
    community_id = community.id
    break
expect("a community that takes a plain post", post is not None)
call(get_post_detail_by_id, post.post_id, answer=m.GetPostDetailResponse)
call(get_post_capabilities, post.post_id, answer=m.GetPostCapabilitiesResponse)
found = call(
    list_community_posts_filtered,
    community_id,
    answer=m.PagedListPostsResponse,
    body=m.ListCommunityPostsFilteredRequest(
        community_post_filters=m.CommunityPostFiltersInput(title=mark, mentioned=False, visibility=None),
        community_attachment_filters=None,
    ),
)
expect("the post in the list", [one.id for one in found.items] == [post.post_id])
post_form = call(get_custom_post_data_for_edit, post.post_id, answer=m.GetCustomPostForEditResponse)
call(
    edit_custom_post,
    post.post_id,
    post_form.occ_token,
    answer=m.EditPostResponse,
    body=m.EditCustomPostRequest(title=f"{mark} edited", description=post_form.content_data.description_delta),
)
call(edit_post_watchers, post.post_id, answer=None, body=m.EditPostWatchersRequest(add_watcher_user_ids=[me.id]))
tried = edit_post_watchers.sync_detailed(
    post.post_id, client=client, body=m.EditPostWatchersRequest(remove_watcher_user_ids=[me.id]), dry_run=True
)
expect("a dry run of a write with an empty answer", tried.status_code == 200 and b'"dryRun"' in tried.content)
call(
    create_post_comment,
    post.post_id,
    answer=m.CreatePostCommentResponse,
    body=m.CreatePostCommentRequest(comment="A remark.", comment_format=2),
)
comments = call(
    list_post_comments, post.post_id, answer=m.ListPostCommentsResponse, body=m.ListPostCommentsRequest()
)
expect("the comment", [one.comment_plain_text.strip() for one in comments.items] == ["A remark."])
due = m.ZonedDatetimeInput(datetime_="2031-12-31T18:00:00", timezone=m.TimeZoneName.EUROPEROME)
task = call(
    create_task,
    post.post_id,
    answer=m.CreateTaskResponse,
    body=m.CreateTaskRequest(title=mark, expiration=due, assignee_user_id=me.id),
)
detail = call(get_task_detail_by_id, task.task_id, answer=m.GetTaskDetailResponse)
call(
    edit_task,
    task.task_id,
    detail.occ_token,
    answer=m.EditTaskResponse,
    body=m.EditTaskRequest(title=f"{mark} edited", expiration=due, assignee_user_id=me.id),
)
gone = call(delete_task, task.task_id, answer=m.DeleteTaskResponse)
expect("the post of the task", gone.post_id == post.post_id)

# The end of each. A dry run before, and an empty answer that the client must not trip over.
call(delete_post, post.post_id, answer=m.DeletePostResponse)
call(get_post_detail_by_id, post.post_id, answer=m.Error, status=404)
tried = delete_group.sync_detailed(group.group_id, client=client, dry_run=True)
expect("a dry run of a deletion", tried.status_code == 200 and b'"deleted"' in tried.content)
call(delete_group, group.group_id, answer=None)
call(get_group_for_edit, group.group_id, answer=m.Error, status=404)
call(delete_user, made.user_id, answer=None)
# The form of a deleted user is empty, as the contract has it.
call(get_user_for_edit, made.user_id, answer=None, status=204)
print("the life of a post, a user and a group: as declared")
