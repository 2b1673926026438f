server=${ELASTUNE_METADATA:-http://metadata.google.internal}/computeMetadata/v1
compute=${ELASTUNE_COMPUTE:-https://compute.googleapis.com}/compute/v1

metadata() {
  item=$1
  shift
  curl -sf -m 5 -H 'Metadata-Flavor: Google' "$@" "$server/$item"
}

instance_id() { metadata instance/id; }

node_address() { metadata instance/network-interfaces/0/ip; }

read_expiry() { metadata instance/attributes/elastune-expires; }

# Google answers when the value changes, or after a minute.
await_interruption() {
  etag=NONE
  until
    notice=$(metadata "instance/preempted?wait_for_change=true&timeout_sec=60&last_etag=$etag" \
      -m 70 -D "$memory/headers") && [ "$notice" = TRUE ]; do
    etag=$(sed -n 's/^[Ee][Tt][Aa][Gg]: *\([A-Za-z0-9]*\).*/\1/p' "$memory/headers")
    [ "$notice" = FALSE ] && [ "$etag" ] || { etag=NONE && sleep 5; }
  done
}

# The controller reads the guest attribute; the node needs no permission to set it.
report() {
  for attempt in 1 2 3 4 5; do
    metadata instance/guest-attributes/elastune/state -X PUT --data-binary "$1" && return
    sleep "$attempt"
  done
}

# Google stops an instance that shuts down, and bills its disk. If the service account of the node
# may delete the instance, it is deleted with its disk.
end_instance() {
  token=$(metadata instance/service-accounts/default/token |
    sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p')
  [ -n "$token" ] || return
  zone=$(metadata instance/zone)
  curl -sf -m 20 -X DELETE -H "Authorization: Bearer $token" \
    "$compute/projects/$(metadata project/project-id)/zones/${zone##*/}/instances/$(metadata instance/name)" \
    >/dev/null
}
