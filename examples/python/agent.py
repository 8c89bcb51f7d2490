"""Signs a person in with their browser, and searches the company's connected data over MCP. Needs no packages."""

import base64
import hashlib
import http.server
import json
import os
import secrets
import urllib.error
import urllib.parse
import urllib.request

SERVICE_URL = os.environ["SERVICE_URL"]
MCP_URL = os.environ.get("MCP_URL", f"{SERVICE_URL}/mcp")
# Without it, the server says what clients ask for by default.
SCOPE = "read search"


def request(url, body=None, headers={}):
    """Sends JSON, or a form if the body is bytes, and returns the JSON of the response."""
    is_form = isinstance(body, bytes)
    data = body if body is None or is_form else json.dumps(body).encode()
    content_type = "application/x-www-form-urlencoded" if is_form else "application/json"
    sent = urllib.request.Request(url, data, {"Content-Type": content_type, **headers})
    try:
        with urllib.request.urlopen(sent) as response:
            text = response.read().decode()
            # MCP servers may respond with events, of which the last is the result.
            is_stream = response.headers.get_content_type() == "text/event-stream"
            events = [line[5:] for line in text.splitlines() if line.startswith("data:")] if is_stream else [text]
            return json.loads(events[-1])
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{url}: {error.code} {error.read().decode()}")


def well_known(url, name):
    """Inserts a well-known name before the path of a URL, as RFC 8414 and RFC 9728 say."""
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/.well-known/{name}{parts.path.rstrip('/')}"


def sign_in():
    """Returns the tokens that the person's consent gives this program."""
    resource = request(well_known(MCP_URL, "oauth-protected-resource"))
    if resource["resource"] != MCP_URL:
        raise SystemExit(f"The metadata is of {resource['resource']}")
    issuer = resource["authorization_servers"][0]
    server = request(well_known(issuer, "oauth-authorization-server"))
    if server["issuer"] != issuer:
        raise SystemExit(f"The metadata is of {server['issuer']}")

    listener = http.server.HTTPServer(("127.0.0.1", 0), Callback)
    redirect_uri = f"http://127.0.0.1:{listener.server_port}/callback"
    client = request(
        server["registration_endpoint"],
        {
            "client_name": "Python example",
            "redirect_uris": [redirect_uri],
            "token_endpoint_auth_method": "none",
        },
    )
    verifier = secrets.token_urlsafe(48)
    challenge = hashlib.sha256(verifier.encode()).digest()
    asked = {
        "response_type": "code",
        "client_id": client["client_id"],
        "redirect_uri": redirect_uri,
        "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
        "scope": SCOPE,
        "state": secrets.token_urlsafe(16),
        "resource": MCP_URL,
    }
    print(f"Open this page to sign in: {server['authorization_endpoint']}?{urllib.parse.urlencode(asked)}", flush=True)
    while not Callback.answer:
        listener.handle_request()
    listener.server_close()
    answer = Callback.answer
    if answer.get("state") != asked["state"] or answer.get("iss") != issuer:
        raise SystemExit("This answer is not for this sign-in")
    if "code" not in answer:
        raise SystemExit(f"Access was not allowed: {answer.get('error')}")
    form = {
        "grant_type": "authorization_code",
        "client_id": client["client_id"],
        "code": answer["code"],
        "code_verifier": verifier,
        "redirect_uri": redirect_uri,
        "resource": MCP_URL,
    }
    # Store the refresh token where only this person can read it, and use it when the access token expires after 20 minutes.
    return request(server["token_endpoint"], urllib.parse.urlencode(form).encode())


class Callback(http.server.BaseHTTPRequestHandler):
    """Receives the browser that comes back from the sign-in."""

    answer: dict = {}

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/callback":
            Callback.answer = dict(urllib.parse.parse_qsl(query))
        self.send_response(200 if path == "/callback" else 404)
        self.end_headers()
        self.wfile.write(b"You can close this page.")

    def log_message(self, *args):
        """The log would contain the code."""


def call_tool(token, name, arguments):
    """Calls a tool, whose errors are results too, because a model corrects its calls."""
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    response = request(MCP_URL, message, headers)
    if "error" in response:
        raise SystemExit(response["error"]["message"])
    return response["result"]["structuredContent"]


token = sign_in()["access_token"]
for connection in call_tool(token, "list_sources", {})["connections"]:
    print(f"{connection['name']} ({connection['source']}): {connection['records']} records, last synced {connection['last_synced_at']}")
