package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.Listing;
import io.elastune.provisioner.gcp.account.Names;
import io.elastune.provisioner.remote.EmptyListConfirmation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Answers requests to list the instances of a run. Adds instances that Google does not list yet to
 * Google's list. Reports an empty list only after every zone has responded several times.
 */
final class Lists {
  private final Map<String, Rental> rentals;
  private final EmptyListConfirmation lists = new EmptyListConfirmation();

  Lists(Map<String, Rental> rentals) {
    this.rentals = rentals;
  }

  void add(String run, Consumer<List<InstanceInfo>> answer) {
    lists.addRequest(run, answer);
  }

  /** Returns the runs with pending list requests. */
  Set<String> runs() {
    return lists.runs();
  }

  /** Answers the pending requests that can be answered from Google's list of {@code runs}. */
  void answer(Set<String> runs, Listing found) {
    lists.answer(
        run -> runs.contains(run) && !undecided(run),
        run -> instances(run, found.instances()),
        found.silent().isEmpty());
  }

  private boolean undecided(String run) {
    return leasesOf(run).stream().anyMatch(Rental::undecided);
  }

  private List<Rental> leasesOf(String run) {
    return rentals.values().stream()
        .filter(rental -> rental.run().filter(run::equals).isPresent())
        .toList();
  }

  private List<InstanceInfo> instances(String run, List<GceInstance> found) {
    Map<String, InstanceInfo> byPath = new TreeMap<>();
    found.stream()
        .filter(instance -> Names.label(run).equals(instance.labels().get(Tags.RUN)))
        .forEach(instance -> byPath.put(instance.path(), info(instance)));
    for (Rental rental : leasesOf(run)) {
      rental
          .zone()
          .ifPresent(
              zone -> {
                String path = zone + "/" + rental.name();
                if (!rental.open()) {
                  byPath.remove(path); // already confirmed as deleted: this list is stale
                } else if (rental.instance().isPresent() || rental.in(Rental.Phase.COMING)) {
                  byPath.putIfAbsent(path, info(rental, path));
                }
              });
    }
    return List.copyOf(byPath.values());
  }

  private static InstanceInfo info(Rental rental, String path) {
    return new InstanceInfo(
        path, rental.lease(), rental.instance().map(GceInstance::status).orElse("PROVISIONING"));
  }

  private static InstanceInfo info(GceInstance instance) {
    return new InstanceInfo(
        instance.path(), instance.tag(Tags.LEASE).orElse(""), instance.status());
  }
}
