package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.aws.node.ConsoleReport;
import io.elastune.provisioner.remote.BootMonitor;
import io.elastune.provisioner.remote.NodeReport;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the boot progress of nodes from their console output. */
record ConsoleBootProbe(RegionContext context, InstanceMonitor watcher)
    implements BootMonitor.Callbacks<TrackedLease> {
  @Override
  public Supplier<Optional<NodeReport>> reportQuery(TrackedLease trackedLease) {
    String id = trackedLease.instance().orElseThrow().id();
    return () -> ConsoleReport.report(context.ec2().console(id));
  }

  @Override
  public void onLostContact(TrackedLease trackedLease, String message) {
    watcher.markLost(trackedLease, LossReason.LOST_CONTACT, message);
  }

  @Override
  public void emit(CloudEvent event) {
    context.emit(event);
  }
}
