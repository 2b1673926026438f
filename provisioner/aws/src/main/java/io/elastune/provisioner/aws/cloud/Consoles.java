package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.aws.node.Console;
import io.elastune.provisioner.remote.BootMonitor;
import io.elastune.provisioner.remote.NodeReport;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the boot progress of nodes from their console output. */
record Consoles(RegionContext context, Watcher watcher) implements BootMonitor.Callbacks<Rental> {
  @Override
  public Supplier<Optional<NodeReport>> reportQuery(Rental rental) {
    String id = rental.instance().orElseThrow().id();
    return () -> Console.report(context.ec2().console(id));
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
