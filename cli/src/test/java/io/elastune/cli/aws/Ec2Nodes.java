package io.elastune.cli.aws;

import io.elastune.cli.rented.NodeCloud;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakeAws;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The instances of a fake EC2 that have user data. */
record Ec2Nodes(FakeAws aws) implements NodeCloud {
  @Override
  public List<String> leases() {
    return aws.ec2().runningLeases().stream()
        .filter(lease -> aws.ec2().launchCall(lease).containsKey("UserData"))
        .toList();
  }

  @Override
  public String script(String lease) {
    String base64 = aws.ec2().launchCall(lease).get("UserData");
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  @Override
  public String expiry(String lease) {
    return aws.ec2().tags(lease).get(Tags.EXPIRES);
  }
}
