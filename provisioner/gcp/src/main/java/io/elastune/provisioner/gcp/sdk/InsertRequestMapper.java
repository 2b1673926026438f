package io.elastune.provisioner.gcp.sdk;

import com.google.cloud.compute.v1.AcceleratorConfig;
import com.google.cloud.compute.v1.AccessConfig;
import com.google.cloud.compute.v1.AttachedDisk;
import com.google.cloud.compute.v1.AttachedDiskInitializeParams;
import com.google.cloud.compute.v1.Duration;
import com.google.cloud.compute.v1.InsertInstanceRequest;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.Items;
import com.google.cloud.compute.v1.Metadata;
import com.google.cloud.compute.v1.NetworkInterface;
import com.google.cloud.compute.v1.ReservationAffinity;
import com.google.cloud.compute.v1.Scheduling;
import com.google.cloud.compute.v1.ServiceAccount;
import com.google.cloud.compute.v1.ShieldedInstanceConfig;
import com.google.cloud.compute.v1.Tags;
import io.elastune.core.offer.Market;
import io.elastune.provisioner.gcp.model.InsertRequest;
import io.elastune.provisioner.gcp.model.InstancePath;
import io.elastune.provisioner.gcp.model.MachineShape;
import io.elastune.provisioner.gcp.model.RegionSettings;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Converts an {@link InsertRequest} to a request of Google's library. */
final class InsertRequestMapper {
  private static final String ALL_PERMITTED_APIS = "https://www.googleapis.com/auth/cloud-platform";

  private InsertRequestMapper() {}

  static InsertInstanceRequest request(String project, InsertRequest order) {
    return InsertInstanceRequest.newBuilder()
        .setProject(project)
        .setZone(order.zone())
        .setRequestId(order.requestId())
        .setInstanceResource(instance(project, order))
        .build();
  }

  private static Instance instance(String project, InsertRequest order) {
    RegionSettings settings = order.settings();
    MachineShape type = order.type();
    Instance.Builder builder =
        Instance.newBuilder()
            .setName(order.name())
            .setMachineType("zones/" + order.zone() + "/machineTypes/" + type.machine())
            .putAllLabels(order.labels())
            .setMetadata(metadata(order.metadata()))
            .addDisks(disk(order))
            .addNetworkInterfaces(network(order))
            .setScheduling(scheduling(order));
    if (settings.secureBoot()) {
      builder.setShieldedInstanceConfig(shielded());
    }
    if (order.market() != Market.SPOT) {
      reservation(settings, type.machine()).ifPresent(builder::setReservationAffinity);
    }
    if (!settings.networkTags().isEmpty()) {
      builder.setTags(Tags.newBuilder().addAllItems(settings.networkTags()));
    }
    settings
        .serviceAccount()
        .ifPresent(
            email ->
                builder.addServiceAccounts(
                    ServiceAccount.newBuilder().setEmail(email).addScopes(ALL_PERMITTED_APIS)));
    order
        .policy()
        .ifPresent(
            name ->
                builder.addResourcePolicies(
                    "projects/%s/regions/%s/resourcePolicies/%s"
                        .formatted(project, InstancePath.regionOf(order.zone()), name)));
    type.accelerator()
        .ifPresent(
            name ->
                builder.addGuestAccelerators(
                    AcceleratorConfig.newBuilder()
                        .setAcceleratorType("zones/" + order.zone() + "/acceleratorTypes/" + name)
                        .setAcceleratorCount(type.count().orElse(1))));
    return builder.build();
  }

  /**
   * Returns the options of Shielded VMs. Google enables all but secure boot by itself for images
   * that support them, and refuses the options for others.
   */
  private static ShieldedInstanceConfig shielded() {
    return ShieldedInstanceConfig.newBuilder()
        .setEnableSecureBoot(true)
        .setEnableVtpm(true)
        .setEnableIntegrityMonitoring(true)
        .build();
  }

  /** Flex-start cannot use reservations; other types use only those that are named. */
  private static Optional<ReservationAffinity> reservation(RegionSettings settings, String type) {
    String name = settings.launch().reservations().get(type);
    if (name != null) {
      return Optional.of(
          ReservationAffinity.newBuilder()
              .setConsumeReservationType("SPECIFIC_RESERVATION")
              .setKey("compute.googleapis.com/reservation-name")
              .addValues(name)
              .build());
    }
    return settings.launch().flexStart().contains(type)
        ? Optional.of(
            ReservationAffinity.newBuilder().setConsumeReservationType("NO_RESERVATION").build())
        : Optional.empty();
  }

  private static String provisioningModel(InsertRequest order) {
    if (order.market() == Market.SPOT) {
      return "SPOT";
    }
    return order.settings().launch().flexStart().contains(order.type().machine())
        ? "FLEX_START"
        : "STANDARD";
  }

  static Metadata.Builder metadata(Map<String, String> items) {
    Metadata.Builder metadata = Metadata.newBuilder();
    new TreeMap<>(items)
        .forEach((key, value) -> metadata.addItems(Items.newBuilder().setKey(key).setValue(value)));
    return metadata;
  }

  private static AttachedDisk disk(InsertRequest order) {
    RegionSettings settings = order.settings();
    AttachedDiskInitializeParams.Builder builder =
        AttachedDiskInitializeParams.newBuilder()
            .setSourceImage(settings.image())
            .setDiskSizeGb(settings.diskGb())
            .setDiskType(
                "zones/"
                    + order.zone()
                    + "/diskTypes/"
                    + order.type().bootDiskType(settings.diskType()))
            .putAllLabels(order.labels());
    return AttachedDisk.newBuilder()
        .setBoot(true)
        .setAutoDelete(true)
        .setInitializeParams(builder)
        .build();
  }

  private static NetworkInterface network(InsertRequest order) {
    NetworkInterface.Builder network = NetworkInterface.newBuilder();
    order
        .settings()
        .subnetwork()
        .ifPresentOrElse(
            name ->
                network.setSubnetwork(
                    name.contains("/")
                        ? name
                        : "regions/"
                            + InstancePath.regionOf(order.zone())
                            + "/subnetworks/"
                            + name),
            () -> network.setNetwork("global/networks/default"));
    if (order.settings().publicAddress()) {
      network.addAccessConfigs(
          AccessConfig.newBuilder().setName("External NAT").setType("ONE_TO_ONE_NAT"));
    }
    return network.build();
  }

  /** An instance with GPUs cannot be migrated, and a stopped one must not restart automatically. */
  private static Scheduling scheduling(InsertRequest order) {
    return Scheduling.newBuilder()
        .setProvisioningModel(provisioningModel(order))
        .setInstanceTerminationAction("DELETE")
        .setMaxRunDuration(Duration.newBuilder().setSeconds(order.longest().toSeconds()))
        .setOnHostMaintenance("TERMINATE")
        .setAutomaticRestart(false)
        .build();
  }
}
