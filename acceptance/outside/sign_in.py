"""Signs in with the key file of a service account, as docs/interface.md says. Run as a program it prints the token."""

import json
import os
import time
import urllib.request
import uuid

import jwt

PATH = "/portal/api/external/v2/core/auth/create-access-token-by-service-account"


def assertion() -> str:
    with open(os.environ["PORTICO_KEY_FILE"], encoding="utf-8") as file:
        key = json.load(file)
    now = int(time.time())
    claims = {
        "iss": key["client_id"],
        "aud": "portico/portal-authenticator",
        "iat": now,
        "exp": now + 300,
        "jti": uuid.uuid4().hex,
    }
    # PyJWT wants texts where the interface has numbers: the parts are put together by hand.
    signer = jwt.get_algorithm_by_name("RS512")
    private_key = signer.prepare_key(key["private_key"])
    head = {"alg": "RS512", "typ": "JWT", "kid": key["private_key_id"]}
    parts = [jwt.utils.base64url_encode(json.dumps(part).encode()) for part in (head, claims)]
    signature = jwt.utils.base64url_encode(signer.sign(b".".join(parts), private_key))
    return b".".join([*parts, signature]).decode()


def access_token() -> str:
    body = json.dumps({"jwtAssertion": assertion()}).encode()
    request = urllib.request.Request(
        os.environ["PORTICO_URL"] + PATH, data=body, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["accessToken"]


if __name__ == "__main__":
    print(access_token())
