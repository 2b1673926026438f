package io.elastune.provisioner.gcp.sdk;

import com.google.cloud.compute.v1.AcceleratorConfig;
import com.google.cloud.compute.v1.Error;
import com.google.cloud.compute.v1.Errors;
import com.google.cloud.compute.v1.GuestAttributes;
import com.google.cloud.compute.v1.GuestAttributesEntry;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.NetworkInterface;
import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.MachineShape;
import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.gcp.account.Operation;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What Google's library gives, in our own words. */
final class Answers {
  private static final String SPOT = "SPOT";

  private Answers() {}

  static GceInstance instance(Instance said) {
    Map<String, String> metadata = new HashMap<>();
    said.getMetadata().getItemsList().stream()
        .filter(item -> Tags.ALL.contains(item.getKey()))
        .forEach(item -> metadata.put(item.getKey(), item.getValue()));
    boolean spot = said.getScheduling().getProvisioningModel().equals(SPOT);
    return new GceInstance(
        Long.toUnsignedString(said.getId()),
        said.getName(),
        Names.last(said.getZone()),
        type(said),
        spot ? Market.SPOT : Market.ON_DEMAND,
        said.getStatus(),
        said.getNetworkInterfacesList().stream()
            .map(NetworkInterface::getNetworkIP)
            .findFirst()
            .orElse(""),
        time(said.getCreationTimestamp()).orElse(Instant.EPOCH),
        said.getLabelsMap(),
        metadata);
  }

  /** GPUs that are built in are listed like those that were attached, and belong to the type. */
  private static String type(Instance said) {
    String machine = Names.last(said.getMachineType());
    List<AcceleratorConfig> attached =
        machine.startsWith("n1-") ? said.getGuestAcceleratorsList() : List.of();
    return attached.stream()
        .map(
            some ->
                MachineShape.of(
                        machine, Names.last(some.getAcceleratorType()), some.getAcceleratorCount())
                    .toString())
        .findFirst()
        .orElse(machine);
  }

  static Operation operation(com.google.cloud.compute.v1.Operation said) {
    boolean done = said.getStatus() == com.google.cloud.compute.v1.Operation.Status.DONE;
    return new Operation(
        said.getName(),
        Names.last(said.getZone()),
        said.getOperationType(),
        Names.last(said.getTargetLink()),
        time(said.getInsertTime()).orElse(Instant.EPOCH),
        done ? time(said.getEndTime()).or(() -> time(said.getInsertTime())) : Optional.empty(),
        done ? failure(said) : Optional.empty());
  }

  /** The operation's own code says more than that of HTTP, which the library would keep alone. */
  private static Optional<CloudFailure> failure(com.google.cloud.compute.v1.Operation said) {
    Error error = said.getError();
    if (error.getErrorsCount() == 0) {
      return said.getHttpErrorStatusCode() == 0
          ? Optional.empty()
          : Optional.of(
              ErrorCodes.failure(
                  List.of(), said.getHttpErrorStatusCode(), said.getHttpErrorMessage()));
    }
    List<String> codes = error.getErrorsList().stream().map(Errors::getCode).toList();
    Errors first = error.getErrors(0);
    return Optional.of(
        ErrorCodes.failure(
            codes,
            said.getHttpErrorStatusCode(),
            said.getOperationType()
                + " in "
                + Names.last(said.getZone())
                + ": "
                + first.getMessage().strip().replaceAll("\\s+", " ")
                + " ["
                + first.getCode()
                + "]"));
  }

  private static Optional<Instant> time(String text) {
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** What an instance has told of itself. */
  static Map<String, String> told(GuestAttributes said) {
    return said.getQueryValue().getItemsList().stream()
        .collect(
            Collectors.toMap(
                GuestAttributesEntry::getKey, GuestAttributesEntry::getValue, (a, b) -> b));
  }
}
