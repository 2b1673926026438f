package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.InstanceState;
import io.elastune.provisioner.remote.InstanceHistory;
import io.elastune.provisioner.remote.InstanceStage;
import io.elastune.provisioner.remote.RemoteInstance;
import java.util.Optional;

/** Translates EC2's descriptions of instances, which contain why and when an instance ended. */
final class InstanceDescriptions {
  /** The beginning of EC2's reason codes for interrupted spot instances. */
  private static final String SPOT_ENDED = "Server.Spot";

  private InstanceDescriptions() {}

  static RemoteInstance of(Ec2Instance instance) {
    return new RemoteInstance(
        instance.id(),
        instance.id(),
        instance.lease(),
        instance.run(),
        instance.type(),
        instance.market(),
        instance.zone(),
        stage(instance.state()),
        instance.state().ec2Name(),
        instance.address(),
        instance.launched(),
        instance.state().isUp() ? Optional.empty() : Optional.of(end(instance)));
  }

  /** An instance that stops by itself has lost its workers, so it counts as stopped. */
  private static InstanceStage stage(InstanceState state) {
    return switch (state) {
      case PENDING -> InstanceStage.PENDING;
      case RUNNING -> InstanceStage.RUNNING;
      case STOPPING, STOPPED -> InstanceStage.STOPPED;
      case SHUTTING_DOWN -> InstanceStage.TERMINATING;
      case TERMINATED -> InstanceStage.TERMINATED;
    };
  }

  private static InstanceHistory end(Ec2Instance instance) {
    return new InstanceHistory(
        Optional.empty(),
        BillingEndTime.of(instance),
        instance.reason().startsWith(SPOT_ENDED),
        Optional.of(instance.reason()).filter(reason -> !reason.isEmpty()),
        launchFailure(instance));
  }

  /** The reasons are those that EC2 documents for an end during the launch. */
  private static Optional<CloudFailure> launchFailure(Ec2Instance instance) {
    String text =
        "EC2 accepted the launch of %s and then ended it: %s (%s)"
            .formatted(instance.id(), instance.reasonText(), instance.reason());
    return switch (instance.reason()) {
      case "Server.InsufficientInstanceCapacity" -> Optional.of(new CloudFailure.Capacity(text));
      case "Server.InternalError" -> Optional.of(new CloudFailure.UnknownOutcome(text));
      case "Client.VolumeLimitExceeded" -> Optional.of(new CloudFailure.QuotaExceeded(text));
      case "Client.InternalError", "Client.InvalidSnapshot.NotFound" ->
          Optional.of(
              new CloudFailure.Invalid(
                  text + "; check the image, and the permissions on the key of its disks"));
      default -> Optional.empty();
    };
  }
}
