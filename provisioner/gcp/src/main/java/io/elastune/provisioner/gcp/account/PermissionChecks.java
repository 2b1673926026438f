package io.elastune.provisioner.gcp.account;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.InsertRequest;
import io.elastune.provisioner.gcp.model.MachineShape;
import io.elastune.provisioner.gcp.model.RegionSettings;
import io.elastune.provisioner.gcp.model.ResourceNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks whether every call of a run is permitted, by making it for an instance that cannot exist.
 * Google has no dry run, but it reports a missing resource only to callers with the permission.
 */
final class PermissionChecks {
  /** A machine type that does not exist, so that nothing can be created. */
  private static final String NO_SUCH_TYPE = "elastune-check";

  private final Compute compute;
  private final RegionSettings settings;
  private final String zone;

  /** Differs on each run, because Google repeats its earlier response to a known request ID. */
  private final String nonce;

  private final String name = ResourceNames.instanceName("check");
  private final List<CheckResult> checkResults = new ArrayList<>();

  PermissionChecks(Compute compute, RegionSettings settings, String zone, String nonce) {
    this.compute = compute;
    this.settings = settings;
    this.zone = zone;
    this.nonce = nonce;
  }

  List<CheckResult> run() {
    String check = "permissions in " + zone;
    probe(check, this::insert);
    probe(check, () -> compute.find(zone, name));
    probe(check, () -> compute.operation(zone, name));
    probe(check, () -> compute.operationHistory(name));
    probe(check, () -> compute.guestAttributes(zone, name));
    probe(check, () -> compute.setMetadata(zone, name, Tags.EXPIRES, "0"));
    probe(check, () -> compute.delete(zone, name, ResourceNames.requestId("check", zone, nonce)));
    return checkResults.isEmpty()
        ? List.of(
            CheckResult.passed(
                check,
                "probably sufficient: Google refused no call of a run for an instance that cannot"
                    + " exist"))
        : checkResults;
  }

  private void insert() {
    compute.insert(
        new InsertRequest(
            ResourceNames.requestId("check", "insert", zone, nonce),
            name,
            zone,
            MachineShape.of(NO_SUCH_TYPE),
            Market.ON_DEMAND,
            settings,
            settings.maxLifetime(),
            Optional.empty(),
            Map.of(Tags.RUN, "check"),
            Map.of(Tags.EXPIRES, "0")));
  }

  /** A response that the resource does not exist proves the permission. */
  private void probe(String check, Runnable call) {
    try {
      call.run();
    } catch (CloudException e) {
      boolean permitted =
          e.failure() instanceof CloudFailure.Invalid
              || e.failure() instanceof CloudFailure.Unrecognized
              || e.failure() instanceof CloudFailure.Capacity;
      if (!permitted) {
        checkResults.add(GcpRemedies.REMEDIES.result(check, e.failure()));
      }
    }
  }
}
