"""
What the fuzzer leaves alone: its own account, and findings that fuzz-allowed.json gives a reason for. Every other finding
fails the run.
"""

import json
import os
import re
import urllib.request
from pathlib import Path

import schemathesis

OWN_ACCOUNT = {
    "createServiceAccountKey",
    "deleteUser",
    "editServiceAccount",
    "editUser",
    "editUserCredentials",
    "revokeServiceAccountKey",
    "signOutUser",
}
NOBODY = 9007199254740990
# What the service says of a request that breaks its schema, as opposed to a rule that no schema can state.
SCHEMA_FAULT = re.compile(
    r" (must be|must have at least|must not hold an item twice|has none of the allowed forms|is required|is too large a number)\b"
)
ALLOWED = json.loads((Path(__file__).parent / "fuzz-allowed.json").read_text(encoding="utf-8"))

_request = urllib.request.Request(
    os.environ["PORTICO_URL"] + "/portal/api/core/auth/current-user-data",
    headers={"Authorization": "Bearer " + os.environ["PORTICO_TOKEN"]},
)
with urllib.request.urlopen(_request, timeout=30) as _answer:
    OWN_ID = json.load(_answer)["userData"]["id"]


@schemathesis.hook
def before_call(context, case, kwargs):
    """The account that asks stays able to ask: what would change or delete it is about nobody instead."""
    operation = case.operation.definition.raw.get("operationId")
    if operation in OWN_ACCOUNT and str((case.path_parameters or {}).get("userId")) == str(OWN_ID):
        case.path_parameters["userId"] = NOBODY
    if operation == "changeUsers" and isinstance(case.body, dict) and isinstance(case.body.get("userIds"), list):
        case.body["userIds"] = [NOBODY if str(each) == str(OWN_ID) else each for each in case.body["userIds"]]


def faults(response):
    """Each fault of an answer as (code, field, text); an answer without a list of faults is one fault without a field."""
    try:
        body = response.json()
    except ValueError:
        return [(None, "", "")]
    found = (body.get("validationErrors") or {}).get("list") or []
    return [(fault["code"], fault["field"], fault.get("defaultMessage") or "") for fault in found] or [(body.get("code"), "", "")]


def holds_null(value):
    """Whether some member at any depth is null."""
    if isinstance(value, dict):
        return any(item is None or holds_null(item) for item in value.values())
    return isinstance(value, list) and any(holds_null(item) for item in value)


def is_blank(body):
    """Whether a body that was sent holds nothing but white space."""
    return isinstance(body, (bytes, str)) and not body.strip()


def refuses_item(response):
    """Whether an answer to a write of many items says that one of them was refused."""
    try:
        body = response.json()
    except ValueError:
        return False
    items = body.get("items") if isinstance(body, dict) else None
    return isinstance(items, list) and any(isinstance(item, dict) and item.get("outcome") == "ERROR" for item in items)


def messages(failure):
    """What a failure says, apart for each component of the request where it names several."""
    text = failure.message or ""
    several = re.findall(r"^\s*- (\w+): (.*)$", text, re.MULTILINE)
    return [f"in {component} - {violation}" for component, violation in several] or [text]


def has_reason(failure, message, operation, status, fault, case, item_refused, blank_body):
    code, field, text = fault
    body = json.dumps(case.body, default=repr)
    null_member = holds_null(case.body)
    empty_query = any(value == "" for value in dict(case.query or {}).values())
    return any(
        entry["check"] == type(failure).__name__
        and re.search(entry.get("message", ""), message)
        and entry.get("nullMember", null_member) == null_member
        and entry.get("itemRefused", item_refused) == item_refused
        and entry.get("blankBody", blank_body) == blank_body
        and entry.get("emptyQuery", empty_query) == empty_query
        and entry.get("status", status) == status
        and entry.get("code", code) == code
        and entry.get("body", body) == body
        and re.search(entry.get("operation", ""), operation)
        and re.search(entry.get("field", ""), field)
        and (not entry.get("rule") or not SCHEMA_FAULT.search(text))
        for entry in ALLOWED
    )


@schemathesis.hook
def filter_failure(context, failure, case, response):
    operation = str(case.operation.definition.raw.get("operationId"))
    if response is None:
        return True
    told = faults(response) if response.content else [(None, "", "")]
    item_refused = refuses_item(response)
    blank_body = is_blank(response.request.body)
    return not all(
        has_reason(failure, message, operation, response.status_code, fault, case, item_refused, blank_body)
        for fault in told
        for message in messages(failure)
    )
