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
import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.gcp.model.MachineShape;
import io.elastune.provisioner.gcp.model.Operation;
import io.elastune.provisioner.gcp.model.ResourceNames;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Converts responses of Google's library to Elastune's types. */
final class ResponseMapper {
  private static final String SPOT = "SPOT";

  private ResponseMapper() {}

  static GceInstance instance(Instance response) {
    Map<String, String> metadata = new HashMap<>();
    response.getMetadata().getItemsList().stream()
        .filter(item -> Tags.ALL.contains(item.getKey()))
        .forEach(item -> metadata.put(item.getKey(), item.getValue()));
    boolean spot = response.getScheduling().getProvisioningModel().equals(SPOT);
    return new GceInstance(
        Long.toUnsignedString(response.getId()),
        response.getName(),
        ResourceNames.lastSegment(response.getZone()),
        type(response),
        spot ? Market.SPOT : Market.ON_DEMAND,
        response.getStatus(),
        response.getNetworkInterfacesList().stream()
            .map(NetworkInterface::getNetworkIP)
            .findFirst()
            .orElse(""),
        time(response.getCreationTimestamp()).orElse(Instant.EPOCH),
        response.getLabelsMap(),
        metadata);
  }

  /** Google lists built-in GPUs like attached ones, but they belong to the type. */
  private static String type(Instance response) {
    String machine = ResourceNames.lastSegment(response.getMachineType());
    List<AcceleratorConfig> attached =
        machine.startsWith("n1-") ? response.getGuestAcceleratorsList() : List.of();
    return attached.stream()
        .map(
            some ->
                MachineShape.of(
                        machine,
                        ResourceNames.lastSegment(some.getAcceleratorType()),
                        some.getAcceleratorCount())
                    .toString())
        .findFirst()
        .orElse(machine);
  }

  static Operation operation(com.google.cloud.compute.v1.Operation response) {
    boolean done = response.getStatus() == com.google.cloud.compute.v1.Operation.Status.DONE;
    return new Operation(
        response.getName(),
        ResourceNames.lastSegment(response.getZone()),
        response.getOperationType(),
        ResourceNames.lastSegment(response.getTargetLink()),
        time(response.getInsertTime()).orElse(Instant.EPOCH),
        done
            ? time(response.getEndTime()).or(() -> time(response.getInsertTime()))
            : Optional.empty(),
        done ? failure(response) : Optional.empty());
  }

  /**
   * Uses the operation's error code, which is more specific than the HTTP status that the library
   * keeps.
   */
  private static Optional<CloudFailure> failure(com.google.cloud.compute.v1.Operation response) {
    Error error = response.getError();
    if (error.getErrorsCount() == 0) {
      return response.getHttpErrorStatusCode() == 0
          ? Optional.empty()
          : Optional.of(
              ErrorCodes.failure(
                  List.of(), response.getHttpErrorStatusCode(), response.getHttpErrorMessage()));
    }
    List<String> codes = error.getErrorsList().stream().map(Errors::getCode).toList();
    Errors first = error.getErrors(0);
    CloudFailure any =
        ErrorCodes.failure(
            codes,
            response.getHttpErrorStatusCode(),
            response.getOperationType()
                + " in "
                + ResourceNames.lastSegment(response.getZone())
                + ": "
                + first.getMessage().strip().replaceAll("\\s+", " ")
                + " ["
                + first.getCode()
                + "]");
    boolean creates = response.getOperationType().equals(Operation.INSERT);
    return Optional.of(creates ? ErrorCodes.ofCreation(codes, any) : any);
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

  /** Returns the guest attributes of an instance, by name. */
  static Map<String, String> guestAttributes(GuestAttributes response) {
    return response.getQueryValue().getItemsList().stream()
        .collect(
            Collectors.toMap(
                GuestAttributesEntry::getKey, GuestAttributesEntry::getValue, (a, b) -> b));
  }
}
