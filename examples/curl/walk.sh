#!/bin/sh
# Every step from a token to a search and a consent, over HTTP.
# Reads SERVICE_URL, CLIENT_ID and CLIENT_SECRET from the environment or from .env.
set -eu
if [ -f .env ]; then set -a && . ./.env && set +a; fi
api="$SERVICE_URL/api/v1"

# call METHOD PATH TOKEN [BODY]: prints the response, and stops if it is an error.
call() {
  curl -sS --fail-with-body -X "$1" "$api$2" -H "Authorization: Bearer $3" \
    -H 'Content-Type: application/json' ${4:+--data "$4"}
}
# field EXPRESSION: prints a member of the JSON on standard input, like jq.
field() {
  node -p "JSON.parse(require('fs').readFileSync(0))$1"
}

echo '1. A token for your application, for 15 minutes'
token=$(curl -sS --fail-with-body "$api/account/applications/token" -H 'Content-Type: application/json' \
  --data "{\"client_id\": \"$CLIENT_ID\", \"client_secret\": \"$CLIENT_SECRET\"}" | field .access_token)

echo '2. What customers can connect'
call GET /integrations/definitions/sources "$token" | field '.definitions.map(({ name }) => name).join(", ")'

echo '3. Connect Granola with a key, as the customer acme'
connector=$(call POST /integrations/connectors "$token" '{
  "customer_name": "acme", "connector_type": "granola", "name": "Notes",
  "credentials": {"api_key": "grn_sandbox_demo"}
}' | field .id)
echo "$connector"

echo '4. Execute: list three notes'
call POST "/integrations/connectors/$connector/execute" "$token" '{
  "entity": "notes", "action": "list", "params": {"page_size": 3}
}' | field '.result.map(({ title }) => title).join("\n")'

echo '5. Search the records that the service has imported'
sync=building
while [ "$sync" = building ]; do
  sleep 1
  found=$(call POST "/integrations/connectors/$connector/execute" "$token" '{
    "entity": "notes", "action": "search",
    "params": {"query": {"filter": {"keyword": {"title": "review"}}, "sort": [{"created_at": "desc"}]}, "limit": 3}
  }')
  sync=$(echo "$found" | field .result.meta.sync.status)
done
echo "$found" | field '.result.data.map(({ title }) => title).join("\n")'

echo '6. Connect Gong with OAuth: open this address in a browser'
consent=$(call POST /integrations/connectors/oauth/initiate "$token" '{
  "customer_name": "acme", "connector_type": "gong", "redirect_url": "http://localhost:3000/connected"
}')
echo "$consent" | field .consent_url
echo 'The browser returns to http://localhost:3000/connected?secret_id=… Connect with it, as in step 3:'
echo '{"customer_name": "acme", "connector_type": "gong", "name": "Calls", "server_side_oauth_secret_id": "…"}'

echo '7. Disconnect'
call DELETE "/integrations/connectors/$connector" "$token"
