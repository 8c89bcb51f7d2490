"""Calls operations by the names in the OpenAPI document, with the standard library alone."""

import json
import sys
import time
import urllib.error
import urllib.request

base_url, client_id, client_secret, api_key = sys.argv[1:]
with urllib.request.urlopen(f"{base_url}/openapi.json") as response:
    document = json.load(response)
operations = {
    operation["operationId"]: (method, path, operation)
    for path, methods in document["paths"].items()
    for method, operation in methods.items()
}
token = None


def resolve(schema):
    return document["components"]["schemas"][schema["$ref"].split("/")[-1]] if "$ref" in schema else schema


def check(value, schema, at):
    """Raises an error if an object lacks a required member, or has one that the schema does not know."""
    schema = resolve(schema)
    if "const" in schema and value != schema["const"]:
        raise ValueError(f"{at} must be {schema['const']}")
    if not isinstance(value, dict) or "properties" not in schema:
        return
    for name in schema.get("required", []):
        if name not in value:
            raise ValueError(f"{at}.{name} is required")
    for name, member in value.items():
        if name in schema["properties"]:
            check(member, schema["properties"][name], f"{at}.{name}")
        elif schema.get("additionalProperties") is False:
            raise ValueError(f"{at}.{name} is unknown")


def call(name, body=None, **path_params):
    method, path, operation = operations[name]
    if body is not None:
        check(body, operation["requestBody"]["content"]["application/json"]["schema"], "body")
    request = urllib.request.Request(
        base_url + path.format(**path_params),
        method=method.upper(),
        data=None if body is None else json.dumps(body).encode(),
        headers={"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})},
    )
    with urllib.request.urlopen(request) as response:
        result = json.load(response)
        schema = operation["responses"][str(response.status)]["content"]["application/json"]["schema"]
    check(result, schema, "response")
    return result


token = call("createApplicationToken", {"client_id": client_id, "client_secret": client_secret})["access_token"]
connector = call(
    "createConnector",
    {"customer_name": "python", "connector_type": "granola", "name": "Notes", "credentials": {"api_key": api_key}},
)
notes = call(
    "granolaNotesList", {"entity": "notes", "action": "list", "params": {"page_size": 2}}, id=connector["id"]
)
while call("getConnector", id=connector["id"])["sync"]["status"] != "ready":
    time.sleep(0.1)
params = {"query": {"filter": {"neq": {"title": None}}, "sort": "-created_at"}, "limit": 1}
found = call("granolaNotesSearch", {"entity": "notes", "action": "search", "params": params}, id=connector["id"])
try:
    call("granolaNotesList", {"entity": "notes", "action": "list", "params": {"pageSize": 2}}, id=connector["id"])
    mistake = None
except ValueError as error:
    mistake = str(error)
print(
    json.dumps(
        {
            "titles": [note["title"] for note in notes["result"]],
            "newest": found["result"]["data"][0]["created_at"],
            "mistake": mistake,
        }
    )
)
