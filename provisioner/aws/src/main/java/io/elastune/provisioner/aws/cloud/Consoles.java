package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.aws.node.Console;
import io.elastune.provisioner.remote.NodeReport;
import io.elastune.provisioner.remote.NodeWatch;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the boot progress of nodes from their console output. */
record Consoles(RegionContext context, Watcher watcher) implements NodeWatch.Door<Rental> {
  @Override
  public Supplier<Optional<NodeReport>> question(Rental rental) {
    String id = rental.instance().orElseThrow().id();
    return () -> Console.report(context.ec2().console(id));
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
