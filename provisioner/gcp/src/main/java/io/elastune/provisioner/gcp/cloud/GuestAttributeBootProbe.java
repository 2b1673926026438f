package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.gcp.node.GuestAttributes;
import io.elastune.provisioner.remote.BootMonitor;
import io.elastune.provisioner.remote.NodeReport;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the boot state of nodes from their guest attributes. */
record GuestAttributeBootProbe(ProjectContext context, InstanceMonitor watcher)
    implements BootMonitor.Callbacks<TrackedLease> {
  @Override
  public Supplier<Optional<NodeReport>> reportQuery(TrackedLease trackedLease) {
    GceInstance known = trackedLease.instance().orElseThrow();
    return () ->
        GuestAttributes.report(context.compute().guestAttributes(known.zone(), known.name()));
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
