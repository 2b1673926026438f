package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.node.GuestAttributes;
import io.elastune.provisioner.remote.NodeReport;
import io.elastune.provisioner.remote.NodeWatch;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the boot state of nodes from their guest attributes. */
record Attributes(ProjectContext context, Watcher watcher) implements NodeWatch.Door<Rental> {
  @Override
  public Supplier<Optional<NodeReport>> question(Rental rental) {
    GceInstance known = rental.instance().orElseThrow();
    return () -> GuestAttributes.report(context.compute().told(known.zone(), known.name()));
  }

  @Override
  public void lostContact(Rental rental, String message) {
    watcher.lose(rental, Loss.LOST_CONTACT, message);
  }

  @Override
  public void tell(CloudEvent event) {
    context.tell(event);
  }
}
