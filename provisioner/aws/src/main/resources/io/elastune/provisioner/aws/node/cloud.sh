imds=${ELASTUNE_IMDS:-http://169.254.169.254}/latest
console=${ELASTUNE_CONSOLE:-/dev/console}

metadata() {
  token=$(curl -sf -m 5 -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$imds/api/token") &&
    curl -sf -m 5 -H "X-aws-ec2-metadata-token: $token" "$imds/meta-data/$1"
}

instance_id() { metadata instance-id; }

node_address() { metadata local-ipv4; }

read_expiry() { metadata tags/instance/elastune-expires; }

await_interruption() { until notice=$(metadata spot/instance-action); do sleep 5; done; }

# The controller reads the console, so the node needs no permission.
report() { printf '\nELASTUNE-NODE %s\n' "$1" >>"$console"; }

end_instance() { :; } # it terminates when it shuts down
