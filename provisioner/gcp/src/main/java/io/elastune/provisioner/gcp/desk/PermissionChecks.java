package io.elastune.provisioner.gcp.desk;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Finding;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.Compute;
import io.elastune.provisioner.gcp.account.InsertOrder;
import io.elastune.provisioner.gcp.account.MachineShape;
import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.gcp.account.RegionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether every call of a run is permitted, by making each for an instance that cannot be: Google
 * has no dry run, and says that there is no such thing only to whoever may know.
 */
final class PermissionChecks {
  /** A machine type that is not there: nobody can be given one. */
  private static final String IMPOSSIBLE = "elastune-check";

  private final Compute compute;
  private final RegionSettings settings;
  private final String zone;

  /** Another text each time: a request id that Google knows would be answered like before. */
  private final String once;

  private final String name = Names.instance("check");
  private final List<Finding> findings = new ArrayList<>();

  PermissionChecks(Compute compute, RegionSettings settings, String zone, String once) {
    this.compute = compute;
    this.settings = settings;
    this.zone = zone;
    this.once = once;
  }

  List<Finding> run() {
    String check = "permissions in " + zone;
    ask(check, this::insert);
    ask(check, () -> compute.find(zone, name));
    ask(check, () -> compute.operation(zone, name));
    ask(check, () -> compute.history(name));
    ask(check, () -> compute.told(zone, name));
    ask(check, () -> compute.note(zone, name, Tags.EXPIRES, "0"));
    ask(check, () -> compute.delete(zone, name, Names.requestId("check", zone, once)));
    return findings.isEmpty()
        ? List.of(Finding.good(check, "whatever a run asks of Google is permitted; tried in vain"))
        : findings;
  }

  private void insert() {
    compute.insert(
        new InsertOrder(
            Names.requestId("check", "insert", zone, once),
            name,
            zone,
            MachineShape.of(IMPOSSIBLE),
            Market.ON_DEMAND,
            settings,
            Optional.empty(),
            Map.of(Tags.RUN, "check"),
            Map.of(Tags.EXPIRES, "0")));
  }

  /** That there is no such thing is what is hoped for. */
  private void ask(String check, Runnable call) {
    try {
      call.run();
    } catch (CloudException e) {
      boolean permitted =
          e.failure() instanceof CloudFailure.Invalid
              || e.failure() instanceof CloudFailure.Capacity;
      if (!permitted) {
        findings.add(e.failure().match(new Remedies(check)));
      }
    }
  }
}
