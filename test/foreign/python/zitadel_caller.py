"""Calls AuthorizationService with ZITADEL's client for Python, which sends JSON over HTTP/1.1: zitadel_caller.py URL"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import zitadel_client.models as models
from zitadel_client import ApiError, Zitadel
from zitadel_client.auth.no_auth_authenticator import NoAuthAuthenticator
from zitadel_client.auth.personal_access_token_authenticator import PersonalAccessTokenAuthenticator

from calls import answer_calls

(url,) = sys.argv[1:]
methods = {
    "ListAuthorizations": "list_authorizations",
    "CreateAuthorization": "create_authorization",
    "UpdateAuthorization": "update_authorization",
    "DeleteAuthorization": "delete_authorization",
    "ActivateAuthorization": "activate_authorization",
    "DeactivateAuthorization": "deactivate_authorization",
}
clients = {}
threads = ThreadPoolExecutor(20)


def client_for(authorization):
    if authorization not in clients:
        token = (authorization or "").removeprefix("Bearer ")
        authenticator = PersonalAccessTokenAuthenticator(url, token) if token else NoAuthAuthenticator(url)
        clients[authorization] = Zitadel(authenticator)
    return clients[authorization]


def call_now(call):
    headers = dict(call["headers"])
    api = client_for(headers.pop("authorization", None)).authorizations
    request = getattr(models, f"AuthorizationService{call['rpc']}Request").from_dict(call["request"])
    try:
        response = getattr(api, methods[call["rpc"]])(request, _headers=headers)
        return {"code": "ok", "headers": {}, "response": json.loads(json.dumps(response.to_dict(), default=str))}
    except ApiError as error:
        body = error.response_body
        body = body if isinstance(body, dict) else json.loads(body)
        details = body.get("details", [])
        answer = {
            "code": body["code"],
            "message": body["message"],
            "details": [detail["type"] for detail in details],
            "headers": {name.lower(): value for name, value in error.response_headers.items()},
        }
        for detail in details:
            if detail["type"] == "google.rpc.ErrorInfo":
                info = detail["debug"]
                answer |= {"reason": info["reason"], "metadata": info["metadata"]}
        return answer


def start(call, answer):
    """Begins a call, which this client can't cancel."""

    def finish(ended):
        fault = ended.exception()
        answer({"code": repr(fault), "headers": {}} if fault else ended.result())

    threads.submit(call_now, call).add_done_callback(finish)
    return lambda: None


answer_calls(start)
