package io.elastune.cli.gcp;

import io.elastune.cli.rented.NodeCloud;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import java.util.List;

/** The instances of a fake Compute Engine that have a startup script. */
record ComputeNodes(FakeGcp gcp) implements NodeCloud {
  @Override
  public List<String> leases() {
    return gcp.compute().runningLeases().stream()
        .filter(lease -> !script(lease).isEmpty())
        .toList();
  }

  @Override
  public String script(String lease) {
    return gcp.compute().metadata(lease, "startup-script");
  }

  @Override
  public String expiry(String lease) {
    return gcp.compute().metadata(lease, Tags.EXPIRES);
  }
}
