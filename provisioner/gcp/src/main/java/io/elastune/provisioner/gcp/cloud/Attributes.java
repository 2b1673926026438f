package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.node.GuestAttributes;
import io.elastune.provisioner.remote.BootMonitor;
import io.elastune.provisioner.remote.NodeReport;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the boot state of nodes from their guest attributes. */
record Attributes(ProjectContext context, Watcher watcher)
    implements BootMonitor.Callbacks<Rental> {
  @Override
  public Supplier<Optional<NodeReport>> reportQuery(Rental rental) {
    GceInstance known = rental.instance().orElseThrow();
    return () -> GuestAttributes.report(context.compute().told(known.zone(), known.name()));
  }

  @Override
  public void onLostContact(Rental rental, String message) {
    watcher.lose(rental, LossReason.LOST_CONTACT, message);
  }

  @Override
  public void emit(CloudEvent event) {
    context.tell(event);
  }
}
